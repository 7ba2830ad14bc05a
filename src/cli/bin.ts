#!/usr/bin/env node
import process from 'node:process';
import { runCommandLine } from './command-line.js';

// A reader that stops early (`| head`) closes the pipe; that is its right, not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// The exit code is set, never `process.exit` called: a large report on a pipe must arrive whole.
process.exitCode = await runCommandLine(process.argv.slice(2), { cwd: process.cwd(), env: process.env, stdout: process.stdout, stderr: process.stderr });
