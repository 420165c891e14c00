import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api } from "./api.ts";

type Scalar = string | number | boolean | null | undefined;
type Row = Readonly<Record<string, Scalar | Readonly<Record<string, Scalar>>>>;

function cell(column: string, value: Row[string]): string {
  if (value === undefined || value === null) return "";
  if (column.endsWith("AtMs") || column === "atMs") return new Date(Number(value)).toLocaleString();
  return typeof value === "object" ? Object.values(value).join(": ") : String(value);
}

/** Any list of the API as a plain table, a page at a time. */
export function RowsPage({
  path,
  columns,
  empty,
}: {
  readonly path: string;
  readonly columns: readonly string[];
  readonly empty: string;
}): ReactNode {
  const rows = useInfiniteQuery({
    queryKey: ["rows", path],
    initialPageParam: "",
    queryFn: async ({ pageParam }) =>
      api<{ readonly items: readonly Row[]; readonly next?: string }>(
        pageParam === "" ? path : `${path}?before=${encodeURIComponent(pageParam)}`,
      ),
    getNextPageParam: (page) => page.next,
    refetchInterval: 5_000,
  });
  if (rows.error !== null) return <p className="failure">{rows.error.message}</p>;
  const items = rows.data?.pages.flatMap((page) => page.items) ?? [];
  if (rows.isSuccess && items.length === 0) return <p className="hint">{empty}</p>;
  return (
    <>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column.replace(/AtMs$|Ms$/, "")}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((row, index) => (
            <tr key={cell("id", row["id"] ?? row["key"] ?? row["code"] ?? index)}>
              {columns.map((column) => (
                <td key={column}>{cell(column, row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.hasNextPage && (
        <button type="button" onClick={() => void rows.fetchNextPage()}>
          More
        </button>
      )}
    </>
  );
}
