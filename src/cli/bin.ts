#!/usr/bin/env node
import process from 'node:process';
import { rerun } from './known-command.js';

// A reader that stops early (`| head`) closes the pipe; that is its right, not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// The exit code is set, never `process.exit` called: a large report on a pipe must arrive whole.
const args = process.argv.slice(2);
const terminal = { cwd: process.cwd(), env: process.env, stdout: process.stdout, stderr: process.stderr };
const known = rerun(args, terminal);
process.exitCode = 'code' in known ? known.code : await (await import('./command-line.js')).runCommandLine(args, terminal, known.cache);
