import ipaddr from "ipaddr.js";

/**
 * True for an address on the public internet. Loopback, private, link-local (cloud metadata), carrier, multicast,
 * documentation and reserved ranges are not, nor what wraps an IPv4 address into IPv6 to get around that
 * (mapped, NAT64, 6to4, Teredo), nor what is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` turns ::ffff:127.0.0.1 into 127.0.0.1.
  return ipaddr.process(address).range() === "unicast";
}
