import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

import { TurnwireError } from "@turnwire/turn-kernel";

import { isPublicAddress } from "./is-public-address.ts";

/** An address that a name stands for. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to all its addresses. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The machine's own resolver, hosts file and all. */
export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true });

/**
 * Decides whether one hop of a fetch may be made, and to which addresses. The name is resolved here, once: the
 * connection is made to what was checked, so a name that answers otherwise a moment later changes nothing.
 * @throws TurnwireError `fetch_refused`
 */
export async function resolveHop(
  url: URL,
  allowOrigin: string | undefined,
  resolve: ResolveHost,
): Promise<readonly ResolvedAddress[]> {
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refused(url, "is neither http nor https");
  if (url.username !== "" || url.password !== "") throw refused(url, "carries a user name or password");
  const hostname = url.hostname.replaceAll(/^\[|\]$/g, "");
  const family = isIP(hostname);
  const addresses = family === 0 ? await resolve(hostname) : [{ address: hostname, family }];
  if (addresses.length === 0) throw refused(url, "has no address");
  // One private address among public ones is no accident: all must be public.
  const isAllowed = url.origin === allowOrigin || addresses.every(({ address }) => isPublicAddress(address));
  if (!isAllowed) throw refused(url, "is not on the public internet");
  return addresses;
}

function refused(url: URL, why: string): TurnwireError {
  // The origin only: paths hold tokens.
  const where = url.origin === "null" ? url.protocol : `${url.protocol}//${url.host}`;
  return new TurnwireError({ code: "fetch_refused", message: `A fetch was refused: ${where} ${why}.` });
}
