import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['build/', 'packages/*/dist/', 'node_modules/', 'tests/fixtures/', 'wasm/imports.js'] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: { ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true }],
      'no-empty': ['error', { allowEmptyCatch: true }],
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-control-regex': 'off',
    },
  },
  // run in a page or a worker, and (core, plotly) in Node as well
  {
    files: ['packages/{core,plotly}/src/**/*.js', 'web/*.js', 'web/**/*.js', 'tests/browser/**', 'tests/js/**'],
    languageOptions: { globals: { ...globals.browser, ...globals.worker, ...globals.node } },
  },
];
