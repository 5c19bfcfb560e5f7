import { defineConfig } from "vite";

export default defineConfig({
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:3000", rewrite: (path) => path.slice("/api".length) } },
  },
  build: { target: "es2022" },
});
