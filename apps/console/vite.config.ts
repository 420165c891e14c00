import react from "@vitejs/plugin-react";
import { defineConfig, type UserConfig } from "vite";

const config: UserConfig = defineConfig({
  plugins: [react()],
  build: { outDir: "dist", target: "es2022", sourcemap: false },
  // For work on the page: `vite dev` beside a running playground.
  server: { proxy: { "/api": "http://127.0.0.1:8787", "/readyz": "http://127.0.0.1:8787" } },
});

export default config;
