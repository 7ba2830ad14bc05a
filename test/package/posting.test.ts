import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tempTree } from '../audit/temp-tree.js';
import { githubServer, SERVER_TOKEN } from '../post/github-server.js';

const POST = fileURLToPath(new URL('../../dist/src/post/', import.meta.url));

it('what talks to GitHub is one file without packages, with the licences of what is in it', () => {
  const bundle = readFileSync(join(POST, 'octokit.js'), 'utf8');
  const imported = [...bundle.matchAll(/^import\b[^;]*?from ["']([^"']+)["']/gm)].map(([, name]) => name);
  expect(imported.sort()).toEqual(['./github-api.js', './github-host.js']);
  expect(readFileSync(join(POST, 'octokit-licences.txt'), 'utf8')).toMatch(/^@octokit\/auth-token [\d.]+, MIT\n[\s\S]*^@octokit\/plugin-throttling [\d.]+, MIT\n/m);
});

it('runs where none of its packages is installed', async () => {
  const server = await githubServer();
  try {
    const root = tempTree({ 'package.json': '{"type":"module"}' });
    for (const file of ['octokit.js', 'github-api.js', 'post-failure.js']) cpSync(join(POST, file), join(root, file));
    // The host's own module reads events through zod, which users have.
    writeFileSync(join(root, 'github-host.js'), 'export const tokenOf = ({ token }) => token;');
    writeFileSync(join(root, 'ask.js'), `
      import { createGithubApi } from './octokit.js';
      const api = createGithubApi({ apiUrl: process.argv[2], token: process.argv[3] }, 'test');
      console.log(JSON.stringify([await api.list('GET /repos/{owner}/{repo}/pulls/7/comments', { owner: 'acme', repo: 'shop' }), await api.graphql('query { viewer { login } }', {})]));
    `);
    const { stdout } = await promisify(execFile)(process.execPath, ['ask.js', server.url, SERVER_TOKEN], { cwd: root });
    expect(JSON.parse(stdout)).toEqual([[], { viewer: { login: 'github-actions[bot]' } }]);
  } finally {
    await server.close();
  }
});
