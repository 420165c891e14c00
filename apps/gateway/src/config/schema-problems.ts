import type { SchemaIssue } from "@turnwire/turn-ports";

import { closestKey } from "./closest-key.ts";
import type { ConfigProblem } from "./config-problem.ts";

interface JsonSchemaNode {
  readonly properties?: Readonly<Record<string, JsonSchemaNode>>;
  readonly additionalProperties?: JsonSchemaNode | boolean;
  readonly items?: JsonSchemaNode;
  readonly anyOf?: readonly JsonSchemaNode[];
  readonly oneOf?: readonly JsonSchemaNode[];
}

/** All keys that the schema knows at a path, over every variant of a union. */
function knownKeys(root: JsonSchemaNode, path: readonly PropertyKey[]): string[] {
  let nodes: readonly JsonSchemaNode[] = [root];
  const variants = (node: JsonSchemaNode): readonly JsonSchemaNode[] => [
    node,
    ...(node.anyOf ?? []),
    ...(node.oneOf ?? []),
  ];
  for (const step of path) {
    nodes = nodes.flatMap(variants).flatMap((node) => {
      if (typeof step === "number") return node.items === undefined ? [] : [node.items];
      const property = node.properties?.[String(step)];
      if (property !== undefined) return [property];
      return typeof node.additionalProperties === "object" ? [node.additionalProperties] : [];
    });
  }
  return nodes.flatMap(variants).flatMap((node) => Object.keys(node.properties ?? {}));
}

/** Writes a path as people write it in JSON5: `agents.list[0].runner.kind`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`))
    .join("");
}

/**
 * Turns a schema's complaints into problems with a path, a plain sentence and, for a misspelt key, the likely one.
 * `jsonSchema` is the schema itself as JSON Schema; `prefix` is where the validated value stands in the file.
 */
export function schemaProblems(
  jsonSchema: object,
  issues: readonly SchemaIssue[],
  prefix: readonly PropertyKey[] = [],
): ConfigProblem[] {
  return issues.flatMap((issue): ConfigProblem[] => {
    const path = [...prefix, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      const known = knownKeys(jsonSchema, issue.path);
      return (issue.keys ?? []).map((key) => {
        const close = closestKey(key, known);
        return {
          path: pathText([...path, key]),
          message: close === null ? "is not a known key; remove it" : `is not a known key; did you mean "${close}"?`,
        };
      });
    }
    if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) {
      return [{ path: pathText(path), message: `is missing; it must be of type ${issue.expected ?? "string"}` }];
    }
    return [{ path: pathText(path), message: issue.message.replace(/\.$/, "") }];
  });
}
