import { defineConfig } from "vitest/config";

const conditions = ["@turnwire/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "packages/*/{src,test}/**/*.test.ts",
      "apps/*/{src,test}/**/*.test.{ts,tsx}",
      "tooling/**/*.test.ts",
      "examples/**/*.test.ts",
    ],
    // Node 24 is pinned in the root package.json; a run on another Node proves nothing.
    globalSetup: ["./tooling/assert-node.ts"],
    setupFiles: ["./tooling/property-seed.ts"],
    restoreMocks: true,
  },
});
