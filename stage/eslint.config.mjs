import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  { languageOptions: { globals: globals.browser }, rules: { eqeqeq: ["error", "smart"], "prefer-const": "error" } },
  { files: ["build.mjs"], languageOptions: { globals: globals.node } },
];
