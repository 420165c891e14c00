export { serveStoreChild } from "./store/serve-store-child.ts";
export { storeContract } from "./store/store-contract.ts";
export type { StoreFactory, StoreHarness, StoreSetup } from "./store/store-harness.ts";
