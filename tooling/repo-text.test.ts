import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { committedFiles } from "./committed-files.ts";

const root = resolve(import.meta.dirname, "..");
const files = committedFiles(root);
const isText = (file: string): boolean => !/\.(png|ico|woff2?|jpg|gif|webp)$/.test(extname(file));
const isTest = (file: string): boolean => /\.test(-d)?\.tsx?$|\/test\//.test(file);
const isSource = (file: string): boolean => /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(file) && !isTest(file);
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** `file:line` of every match, so that a failure names the place. */
function places(among: readonly string[], pattern: RegExp): string[] {
  return among.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
  );
}

const thisFile = "tooling/repo-text.test.ts";

// What must not stand in a committed file.
const machinePath = /(^|[\s"'`(=:])\/(work|root|home|Users)\/[a-z]/;
const temporaryPath = /(^|[\s"'`(=:])\/tmp\/\w/;
const registryHost = /\bregistry\.[a-z0-9-]+\.[a-z]|^\s*registry\s*=|tarball: http|resolved "?http/;
const focusedTest = /\b(it|test|describe|bench)(\.\w+)*(\([^)]*\))?\.(only|todo)\b/;
const unfinished = /\b(TODO|FIXME|XXX|HACK)\b|not (yet )?implemented/i;
const starExport = /^export \* /;
const moduleState = /^(export )?(let|var) /;
const bareRelativeImport = /from "\.{1,2}\/[^"]*(?<!\.tsx?|\.css|\.json|\.mjs)";?$/;

it.each([
  [machinePath, 'const file = "/home/ada/turnwire/x.ts";'],
  [temporaryPath, "see /tmp/out.log"],
  [registryHost, "  resolution: {tarball: http://localhost/x.tgz}"],
  [registryHost, "registry=https://example.org/"],
  [focusedTest, 'it.only("one", () => {'],
  [focusedTest, 'describe.each(rows).only("all", () => {'],
  [unfinished, "// TODO: the rest"],
  [unfinished, 'throw new Error("Not implemented")'],
  [starExport, 'export * from "./types.ts";'],
  [moduleState, "let cache = new Map();"],
  [bareRelativeImport, 'import { a } from "./a";'],
  [bareRelativeImport, 'import { a } from "../b/a.js";'],
])("%s catches %j", (pattern, line) => {
  expect(line).toMatch(pattern);
});

describe("what is committed", () => {
  const texts = files.filter((file) => isText(file) && file !== thisFile);

  it("names no path of one machine", () => {
    expect(places(texts, machinePath)).toEqual([]);
    expect(
      places(
        texts.filter((file) => !isTest(file)),
        temporaryPath,
      ),
    ).toEqual([]);
  });

  it("names no package registry", () => {
    expect(places(texts, registryHost)).toEqual([]);
  });

  it("has no file of another project", () => {
    expect(files.filter((file) => /(^|\/)(specs|seeds)\//.test(file))).toEqual([]);
  });

  it("has no focused and no unwritten test", () => {
    const tests = files.filter(
      (file) => /\.test(-d)?\.tsx?$/.test(file) && file !== "tooling/import-rules.test.ts" && file !== thisFile,
    );
    expect(tests.length).toBeGreaterThan(0);
    expect(places(tests, focusedTest)).toEqual([]);
  });
});

describe("source files", () => {
  const sources = files.filter(isSource);

  it("are there", () => {
    expect(sources.length).toBeGreaterThan(0);
  });

  it("finish what they begin", () => {
    expect(places(sources, unfinished)).toEqual([]);
  });

  it("export by name, so that somebody decided each export", () => {
    expect(places(sources, starExport)).toEqual([]);
  });

  it("keep no state in a module", () => {
    expect(places(sources, moduleState)).toEqual([]);
  });

  it("import their own files with the .ts that Node needs", () => {
    expect(places(sources, bareRelativeImport)).toEqual([]);
  });
});

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

const withoutCode = (markdown: string): string => markdown.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "");

function anchors(file: string): string[] {
  return [...withoutCode(read(file)).matchAll(/^#{1,6}\s+(.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ""));
}

/** What a link from one file points at, or undefined when there is nothing. */
function brokenLink(file: string, target: string): string | undefined {
  const [path = "", anchor] = decodeURI(target).split("#");
  const to = path === "" ? file : join(dirname(file), path);
  if (!existsSync(join(root, to))) return `${file}: ${target}`;
  if (anchor === undefined || anchor === "" || !to.endsWith(".md") || statSync(join(root, to)).isDirectory())
    return undefined;
  return anchors(to).includes(anchor) ? undefined : `${file}: ${target} (no such heading)`;
}

describe("documents", () => {
  const documents = files.filter((file) => file.endsWith(".md") && !file.startsWith(".changeset/"));
  const scripts = Object.keys((JSON.parse(read("package.json")) as { scripts: object }).scripts);

  it("link to what exists", () => {
    const links = documents.flatMap((file) =>
      [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)]
        .map(([, target]) => target ?? "")
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => brokenLink(file, target)),
    );
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((broken) => broken !== undefined)).toEqual([]);
  });

  it("name files that exist", () => {
    const named = documents.flatMap((file) =>
      [
        ...read(file).matchAll(
          /`((?:packages|apps|docs|tooling|bench|examples|\.github|\.ci|\.changeset)\/[\w./-]+)`/g,
        ),
      ].map(([, path]) => ({ file, path: path ?? "" })),
    );
    expect(
      named.filter(({ path }) => !existsSync(join(root, path))).map(({ file, path }) => `${file}: ${path}`),
    ).toEqual([]);
  });

  it("name commands that exist", () => {
    const named = documents.flatMap((file) =>
      [...read(file).matchAll(/\b(?:npm run|pnpm run) ([\w:-]+)/g)].map(([, script]) => ({
        file,
        script: script ?? "",
      })),
    );
    expect(named.filter(({ script }) => !scripts.includes(script))).toEqual([]);
  });

  it("name the one version of pnpm", () => {
    const { packageManager } = JSON.parse(read("package.json")) as { packageManager: string };
    const named = files
      .filter((file) => /\.(md|yml|mjs|ts)$|^\.ci\//.test(file) && file !== thisFile)
      .flatMap((file) => [...read(file).matchAll(/pnpm@[\d.]+/g)].map(([version]) => ({ file, version })));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ version }) => version !== packageManager)).toEqual([]);
  });
});
