#!/usr/bin/env node
import process from 'node:process';
import type { AuditCache } from './audit-cache.js';
import { rerun } from './known-command.js';
import { optimizeLater } from './optimize-later.js';

// A reader that stops early (`| head`) closes the pipe; that is its right, not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// The exit code is set, never `process.exit` called: a large report on a pipe must arrive whole.
const args = process.argv.slice(2);
const terminal = { cwd: process.cwd(), env: process.env, stdout: process.stdout, stderr: process.stderr };
const known = rerun(args, terminal);
process.exitCode = 'code' in known ? known.code : await runWhole(known.cache);

async function runWhole(cache: AuditCache | undefined): Promise<number> {
  // From Node 22 on Node keeps the compiled code of all that is loaded from here on.
  // The types are those of Node 20, which has it not.
  const node = await import('node:module') as { readonly default: object; readonly enableCompileCache?: () => unknown };
  if (!args.includes('--no-cache')) node.enableCompileCache?.();
  optimizeLater();
  const { runCommandLine } = await import('./command-line.js');
  return runCommandLine(args, terminal, cache);
}
