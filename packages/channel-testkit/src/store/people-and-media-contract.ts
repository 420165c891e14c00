import { readFile } from "node:fs/promises";

import { describe, expect, test } from "vitest";

import { ACCOUNT } from "./sample-rows.ts";
import { must, type StoreUnderTest } from "./store-under-test.ts";

/** Pairings and media. */
export function describePeopleAndMedia(under: StoreUnderTest): void {
  describe("pairings", () => {
    const ask = (code: string, senderId = "ada"): ReturnType<typeof under.store.pairings.request> =>
      under.store.pairings.request({ code, ...ACCOUNT, senderId, senderLabel: "Ada" });

    test("a person who asks again gets the pairing that waits", async () => {
      const first = await ask("AAAA");
      expect(first).toEqual({
        created: true,
        pairing: {
          code: "AAAA",
          ...ACCOUNT,
          senderId: "ada",
          senderLabel: "Ada",
          status: "pending",
          createdAtMs: under.clock.now(),
        },
      });
      await under.clock.advance(10);
      expect(await ask("BBBB")).toEqual({ created: false, pairing: first.pairing });
    });

    test("two who ask at the same time with one name get one pairing", async () => {
      const results = await Promise.all([ask("AAAA"), ask("BBBB")]);
      expect(results.filter((result) => result.created)).toHaveLength(1);
      expect(await under.store.pairings.list()).toHaveLength(1);
    });

    test("approved by its code, found by its sender, and kept over a restart", async () => {
      await ask("AAAA");
      expect(await under.store.pairings.approve("ZZZZ")).toBeNull();
      expect(await under.store.pairings.approve("AAAA")).toMatchObject({ status: "approved" });
      await under.reopen();
      expect(await under.store.pairings.find("telegram", "default", "ada")).toMatchObject({ status: "approved" });
      expect(await under.store.pairings.find("telegram", "second", "ada")).toBeNull();
    });

    test("revoked by its code or by channel:account:sender", async () => {
      await ask("AAAA");
      await ask("BBBB", "@bob:example.org");
      expect(await under.store.pairings.revoke("AAAA")).toBe(true);
      expect(await under.store.pairings.revoke("telegram:default:@bob:example.org")).toBe(true);
      expect(await under.store.pairings.revoke("AAAA")).toBe(false);
      expect(await under.store.pairings.list()).toEqual([]);
    });

    test("a code is one person's", async () => {
      await ask("AAAA");
      await expect(ask("AAAA", "bob")).rejects.toMatchObject({ code: "store_conflict" });
    });
  });

  describe("blobs", () => {
    test("come back as a readable file with the same bytes, also after a restart", async () => {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
      const id = await under.store.blobs.put(bytes, "image/png");
      await under.reopen();
      const path = must(await under.store.blobs.materialize(id));
      expect(Uint8Array.from(await readFile(path))).toEqual(bytes);
    });

    test("null for one that is gone", async () => {
      expect(await under.store.blobs.materialize("no-such-blob")).toBeNull();
    });

    test("at most 25 MiB each", async () => {
      const bytes = new Uint8Array(25 * 1024 * 1024 + 1);
      await expect(under.store.blobs.put(bytes, "video/mp4")).rejects.toMatchObject({ code: "blob_too_large" });
    });
  });
}
