import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const games = fileURLToPath(new URL("../src/sevenfold/games", import.meta.url));

// The built page goes into the package; `npm run dev` asks a `sevenfold serve` on its usual port, or SEVENFOLD_SERVER.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  resolve: {
    alias: {
      "@games": games, // the rooms, each with its board.ts
      "@": fileURLToPath(new URL("./src", import.meta.url)),
      uplot: fileURLToPath(new URL("./node_modules/uplot", import.meta.url)),
    },
    // An empty list would be no condition at all, and Svelte's code for servers.
    ...(process.env.VITEST ? { conditions: ["browser"] } : {}),
  },
  server: {
    fs: { allow: [".", games] },
    proxy: { "/api": { target: process.env.SEVENFOLD_SERVER ?? "http://127.0.0.1:7077", ws: true } },
  },
  build: {
    outDir: "../src/sevenfold/server/page",
    emptyOutDir: true,
    target: "es2022",
  },
  test: {
    environment: "happy-dom",
    setupFiles: ["src/test/setup.ts"],
    include: ["src/**/*.test.ts", "../src/sevenfold/games/*/*.test.ts"],
  },
});
