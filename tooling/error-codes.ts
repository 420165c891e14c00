import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Where a code comes from. `packages` are folder names, sorted. */
export interface ErrorCodes {
  readonly codes: ReadonlyMap<string, readonly string[]>;
  /** Files that make an error again from its parts, as another thread sent them: its code was named over there. */
  readonly restoring: readonly string[];
  /** `file:line` of every `new TurnwireError` whose code could not be read off the source. */
  readonly unread: readonly string[];
}

/** A function or class that hands one of its parameters on as the code: its callers name the codes. */
interface Maker {
  readonly name: string;
  readonly parameter: number;
}

interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** Source files whose errors users can meet: the simulators answer with codes of their platforms, not with ours. */
export function errorSources(root: string): readonly SourceText[] {
  return globSync("{packages,apps}/*/src/**/*.{ts,tsx}", { cwd: root })
    .filter((file) => !/\.test(-d)?\.tsx?$|^packages\/platform-sim\//.test(file))
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
}

/**
 * Collects the codes of every `new TurnwireError({ code: … })`: literals, both arms of a condition, and, where the
 * code is a parameter of the function around it, the literals that this function is called with. A class with a
 * constructor parameter `code` is read like such a function.
 */
export function collectErrorCodes(sources: readonly SourceText[]): ErrorCodes {
  const files = sources.map(({ file, text }) => ts.createSourceFile(file, text, ts.ScriptTarget.ES2024, true));
  const found = new Map<string, Set<string>>();
  const makers: Maker[] = [];
  const restoring = new Set<string>();
  const unread: string[] = [];
  const add = (code: string, file: ts.SourceFile): void => {
    found.set(code, (found.get(code) ?? new Set()).add(file.fileName.split("/")[1] ?? ""));
  };

  for (const file of files) {
    visit(file, (node) => {
      if (ts.isClassDeclaration(node)) makers.push(...makersOfClass(node));
      if (!ts.isNewExpression(node) || node.expression.getText(file) !== "TurnwireError") return;
      const code = codeOf(node);
      const literals = code === undefined ? [] : literalsOf(code);
      for (const literal of literals) add(literal, file);
      const maker = code === undefined ? undefined : makerOf(code);
      if (maker !== undefined) makers.push(maker);
      else if (code !== undefined && isRestored(code)) restoring.add(file.fileName);
      else if (literals.length === 0) unread.push(placeOf(node, file));
    });
  }

  for (const file of files) {
    visit(file, (node) => {
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
      const maker = makers.find(({ name }) => name === node.expression.getText(file));
      const argument = maker === undefined ? undefined : node.arguments?.[maker.parameter];
      for (const literal of argument === undefined ? [] : literalsOf(argument)) add(literal, file);
    });
  }
  return {
    codes: new Map([...found].map(([code, names]) => [code, [...names].toSorted()] as const).toSorted(byCode)),
    restoring: [...restoring],
    unread,
  };
}

const byCode = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a.localeCompare(b);

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

function placeOf(node: ts.Node, file: ts.SourceFile): string {
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function codeOf(node: ts.NewExpression): ts.Expression | undefined {
  for (const argument of node.arguments ?? []) {
    if (!ts.isObjectLiteralExpression(argument)) continue;
    for (const property of argument.properties) {
      if (property.name?.getText() !== "code") continue;
      if (ts.isPropertyAssignment(property)) return property.initializer;
      if (ts.isShorthandPropertyAssignment(property)) return property.name;
    }
  }
  return undefined;
}

function literalsOf(expression: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression))
    return literalsOf(expression.expression);
  if (ts.isConditionalExpression(expression)) {
    return [...literalsOf(expression.whenTrue), ...literalsOf(expression.whenFalse)];
  }
  return [];
}

function makersOfClass(node: ts.ClassDeclaration): readonly Maker[] {
  const parameters = node.members.find((member) => ts.isConstructorDeclaration(member))?.parameters ?? [];
  const parameter = parameters.findIndex(({ name }) => name.getText() === "code");
  return parameter < 0 || node.name === undefined ? [] : [{ name: node.name.text, parameter }];
}

/** `{ code, message }` taken apart in a parameter, and put together again. */
function isRestored(code: ts.Expression): boolean {
  if (!ts.isIdentifier(code)) return false;
  for (let node: ts.Node = code; !ts.isSourceFile(node); node = node.parent) {
    if (!ts.isFunctionDeclaration(node)) continue;
    const patterns = node.parameters.map(({ name }) => name).filter((name) => ts.isObjectBindingPattern(name));
    return patterns.some(({ elements }) => elements.some(({ name }) => name.getText() === code.text));
  }
  return false;
}

function makerOf(code: ts.Expression): Maker | undefined {
  if (!ts.isIdentifier(code)) return undefined;
  for (let node: ts.Node = code; !ts.isSourceFile(node); node = node.parent) {
    if (!ts.isFunctionDeclaration(node) && !ts.isArrowFunction(node)) continue;
    const parameter = node.parameters.findIndex(({ name }) => name.getText() === code.text);
    const name = ts.isFunctionDeclaration(node) ? node.name : nameOfArrow(node);
    if (parameter >= 0 && name !== undefined) return { name: name.getText(), parameter };
  }
  return undefined;
}

function nameOfArrow(node: ts.ArrowFunction): ts.Node | undefined {
  return ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined;
}
