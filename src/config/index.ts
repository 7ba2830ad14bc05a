export { defineConfig, type Config } from './config.js';
