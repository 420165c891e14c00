import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { committedFiles } from "./committed-files.ts";
import { importTable } from "./import-table.ts";
import { workspacePackages, type Manifest } from "./workspace-packages.ts";

const root = resolve(import.meta.dirname, "..");
const files = committedFiles(root);
const packages = workspacePackages(root).map(({ folder, manifest }) => ({ folder, manifest, name: manifest.name }));
const published = packages.filter(({ manifest }) => manifest.private !== true);
const channels = published.filter(({ folder }) => /^packages\/channel-(?!testkit)/.test(folder));

const scope = "@turnwire/";
const ours = (versions: Manifest["dependencies"]): string[] =>
  Object.keys(versions ?? {}).filter((name) => name.startsWith(scope));
const folderOf = (name: string): string => packages.find((one) => one.name === name)?.folder ?? `(no package ${name})`;
const within = (folders: readonly string[], folder: string): boolean =>
  folders.some((allowed) => new RegExp(`^${allowed}$`).test(folder));
const text = (file: string): string => readFileSync(join(root, file), "utf8");

/** The one SDK of each channel, as its package names begin. The config schema is zod everywhere. */
const channelLibraries: Readonly<Record<string, readonly string[]>> = {
  "packages/channel-telegram": ["grammy", "@grammyjs/"],
  "packages/channel-slack": ["@slack/"],
  "packages/channel-matrix": ["matrix-js-sdk", "@matrix-org/"],
  "packages/channel-discord": ["discord.js", "@discordjs/", "discord-api-types"],
};

/** docs/architecture.md, "One channel package". `NAME` stands for the platform. */
const channelFiles = [
  "README.md",
  "src/index.ts",
  "src/config.ts",
  "src/NAME-channel.ts",
  "src/client.ts",
  "src/capabilities.ts",
  "src/inbound/listen.ts",
  "src/inbound/webhook.ts",
  "src/inbound/raw-event.ts",
  "src/inbound/turn-adapter.ts",
  "src/inbound/facts.ts",
  "src/inbound/media.ts",
  "src/outbound/deliver.ts",
  "src/outbound/draft.ts",
  "src/outbound/render.ts",
  "src/outbound/outcome.ts",
  "src/outbound/reconcile.ts",
];

/** What a platform does not have. Matrix clients sync; nothing calls them. */
const lacking: Readonly<Record<string, readonly string[]>> = { "packages/channel-matrix": ["src/inbound/webhook.ts"] };

/** Packages of which a process must have one copy; an adapter takes its user's. */
const single = ["@turnwire/turn-kernel", "@turnwire/turn-ports", "@turnwire/adapter-kit"];
const wideRange = ">=0.1.0 <1.0.0";

describe.each(published)("$name", ({ folder, manifest }) => {
  it("says what npm and its users need to know", () => {
    expect(manifest).toMatchObject({
      name: `${scope}${folder.split("/")[1]}`,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      description: expect.stringMatching(/\S/),
      license: "MIT",
      type: "module",
      sideEffects: false,
      engines: { node: ">=22.18" },
      repository: { type: "git", url: "git+https://github.com/turnwire/turnwire.git", directory: folder },
      publishConfig: { access: "public", provenance: true },
    });
    expect(manifest.files).toContain("dist");
  });

  it("offers its source inside the repository and only its build outside", () => {
    const entries = Object.entries(manifest.exports ?? {});
    expect(entries.length).toBeGreaterThan(0);
    for (const [entry, conditions] of entries) {
      const { "@turnwire/source": source, ...outside } = conditions;
      expect(Object.keys(conditions), entry).toEqual(["@turnwire/source", "types", "default"]);
      expect(existsSync(join(root, folder, source ?? "")), `${entry}: ${source}`).toBe(true);
      expect(manifest.publishConfig?.exports[entry], entry).toEqual(outside);
    }
    expect(Object.keys(manifest.publishConfig?.exports ?? {})).toEqual(entries.map(([entry]) => entry));
  });

  it("has a README that shows how to use it", () => {
    const readme = text(`${folder}/README.md`);
    expect(readme).toMatch(new RegExp(`^# ${manifest.name}\n`));
    expect(readme, "a working example").toContain("```");
  });
});

describe("every package", () => {
  it.each(packages)("$name has its tag for the boundaries", ({ folder }) => {
    expect(JSON.parse(text(`${folder}/turbo.json`))).toMatchObject({ tags: [expect.any(String)] });
  });

  it("belongs to the type check, tests included", () => {
    const { references } = JSON.parse(text("tsconfig.json")) as { references: { path: string }[] };
    const checked = references.map(({ path }) => join(path.endsWith(".json") ? path : join(path, "tsconfig.json")));
    const projects = files.filter((file) => /^.+\/tsconfig(\.\w+)?\.json$/.test(file));
    expect(projects.length).toBeGreaterThanOrEqual(packages.length);
    expect(projects.filter((file) => !checked.includes(file))).toEqual([]);
  });

  it("is published or says private", () => {
    expect(
      packages.filter(({ folder }) => /^(bench|examples|apps\/console|packages\/chaos)$/.test(folder)),
    ).not.toHaveLength(0);
    for (const { folder, manifest } of packages) {
      const isPrivate = /^(bench|examples|apps\/console|packages\/chaos)$/.test(folder);
      expect({ folder, private: manifest.private ?? false }).toEqual({ folder, private: isPrivate });
    }
  });

  it.each(packages)("$name takes foreign versions from the catalog and ours from the workspace", ({ manifest }) => {
    const versions = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [name, version] of Object.entries(versions)) {
      expect(`${name} ${version}`).toMatch(name.startsWith(scope) ? / workspace:[*^]$/ : / catalog:$/);
    }
  });
});

describe("who may import whom, in the manifests", () => {
  const rows = importTable.flatMap((row) =>
    packages
      .filter(({ folder }) => within([row.from], folder))
      .map(({ folder, manifest }) => ({ ...row, folder, manifest })),
  );

  it("has rows for every package but the free ones", () => {
    const free = packages
      .filter(({ folder }) => !rows.some((row) => row.folder === folder))
      .map(({ folder }) => folder);
    expect(free.filter((folder) => folder !== "packages/chaos")).toEqual(["apps/gateway", "bench", "examples"]);
  });

  it.each(rows)("$rule: $folder", ({ folder, manifest, may, testsMay }) => {
    const used = [...ours(manifest.dependencies), ...ours(manifest.peerDependencies)];
    expect(used.filter((name) => !within([folder, ...may], folderOf(name)))).toEqual([]);
    const tested = ours(manifest.devDependencies);
    expect(tested.filter((name) => !within([folder, ...may, ...(testsMay ?? [])], folderOf(name)))).toEqual([]);
  });

  it("gives the kernel no dependency at all", () => {
    const kernel = packages.find(({ folder }) => folder === "packages/turn-kernel");
    expect(kernel?.manifest.dependencies ?? {}).toEqual({});
    expect(kernel?.manifest.peerDependencies ?? {}).toEqual({});
  });
});

describe.each(channels)("$name", ({ folder, manifest }) => {
  it("depends on its one SDK and the schema library", () => {
    const allowed = [...(channelLibraries[folder] ?? []), "zod"];
    const foreign = Object.keys(manifest.dependencies ?? {}).filter(
      (name) => !allowed.some((one) => name.startsWith(one)),
    );
    expect(foreign).toEqual([]);
  });

  it("takes its user's kernel, ports and kit, in a wide range", () => {
    expect(manifest.peerDependencies).toEqual(Object.fromEntries(single.map((name) => [name, wideRange])));
    expect(manifest.devDependencies).toMatchObject(Object.fromEntries(single.map((name) => [name, "workspace:*"])));
  });

  it("has the same files as every channel", () => {
    const platform = folder.replace("packages/channel-", "");
    const wanted = channelFiles
      .filter((file) => !(lacking[folder] ?? []).includes(file))
      .map((file) => `${folder}/${file.replace("NAME", platform)}`);
    expect(wanted.filter((file) => !files.includes(file))).toEqual([]);
  });

  it("keeps its src folder to the named files", () => {
    const platform = folder.replace("packages/channel-", "");
    const top = files.filter(
      (file) => file.startsWith(`${folder}/src/`) && !file.slice(`${folder}/src/`.length).includes("/"),
    );
    const named = channelFiles.map((file) => `${folder}/${file.replace("NAME", platform)}`);
    const others = top.filter((file) => !/\.test(-d)?\.ts$/.test(file) && !named.includes(file));
    // Beside the named files only one that extends an SDK class may stand there.
    expect(others.filter((file) => !/ extends [A-Z]/.test(text(file)))).toEqual([]);
  });
});

describe("adapter-kit and turn-ports", () => {
  it.each(["packages/adapter-kit", "packages/turn-ports"])("%s takes its user's copies too", (folder) => {
    const manifest = packages.find((one) => one.folder === folder)?.manifest;
    expect(ours(manifest?.dependencies)).toEqual([]);
    for (const range of Object.values(manifest?.peerDependencies ?? {})) expect(range).toBe(wideRange);
  });
});
