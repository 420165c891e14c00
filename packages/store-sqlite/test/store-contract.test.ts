import { storeContract } from "@turnwire/channel-testkit";

import { sqliteHarness } from "./sqlite-harness.ts";

storeContract("sqlite", sqliteHarness);
