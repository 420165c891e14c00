import { defineConfig } from "vitest/config";

const conditions = ["@turnwire/source"];

/** What Stryker runs: the tests of this package alone, for its copy has no other. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{src,test}/**/*.test.ts"],
    // Compiles the package, which the copy has no configuration for.
    exclude: ["test/api-report.test.ts"],
    restoreMocks: true,
  },
});
