import { describe } from "vitest";

import { describeAccept } from "./accept-contract.ts";
import { describeCommit } from "./commit-contract.ts";
import { describeCrash } from "./crash-contract.ts";
import { describeInbox } from "./inbox-contract.ts";
import { describeLanes } from "./lanes-contract.ts";
import { describeLeases } from "./leases-contract.ts";
import { describeOutbox } from "./outbox-contract.ts";
import { describePeopleAndMedia } from "./people-and-media-contract.ts";
import { describeProperties } from "./properties-contract.ts";
import { describeRecords } from "./records-contract.ts";
import { describeRestart } from "./restart-contract.ts";
import { describeSessions } from "./sessions-contract.ts";
import type { StoreFactory } from "./store-harness.ts";
import { useStore } from "./store-under-test.ts";
import { describeTime } from "./time-contract.ts";

/**
 * The specification of `TurnStore` as tests, one `describe` a port. Call it in a test file of the store's package:
 *
 *     storeContract("sqlite", async ({ clock }) => ({ create, startChild, dispose }));
 *
 * It knows nothing of any engine: what a store promises beyond the port is tested beside the store.
 */
export function storeContract(name: string, factory: StoreFactory): void {
  describe(`TurnStore contract: ${name}`, () => {
    const under = useStore(factory);
    describeAccept(under);
    describeCommit(under);
    describeInbox(under);
    describeLanes(under);
    describeLeases(under);
    describeOutbox(under);
    describeSessions(under);
    describeRecords(under);
    describePeopleAndMedia(under);
    describeTime(under);
    describeRestart(under);
    describeCrash(under);
  });
  describe(`TurnStore properties: ${name}`, () => {
    describeProperties(factory);
  });
}
