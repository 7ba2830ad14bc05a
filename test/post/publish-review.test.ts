import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GithubHost } from '../../src/post/github-host.js';
import { GithubRefusal } from '../../src/post/github-api.js';
import { createGithubApi } from '../../src/post/octokit.js';
import { publishReview, type Published, type ReviewPost } from '../../src/post/publish-review.js';
import type { Finding, Review } from '../../src/review/types.js';
import { changedReview, SOURCES } from '../report/changed-review.js';
import { hostileChange } from '../report/hostile-change.js';
import { githubServer, SERVER_TOKEN, type GithubServer, type StoredComment } from './github-server.js';

const DIFF = { files: [{ path: 'src/worker.ts', shown: [{ first: 1, last: 4 }] }] };
const NOTHING: Published = { commented: 0, resolved: 0, reopened: 0, summary: 'unchanged', inSummary: 0, threads: true };
const REVIEWS = 'POST /repos/acme/shop/pulls/7/reviews';

const SUMMARY = 'POST /repos/acme/shop/issues/7/comments';

let server: GithubServer;
beforeEach(async () => { server = await githubServer({ diff: { 'src/worker.ts': [1, 2, 3, 4] } }); });
afterEach(() => server.close());

function publish(review: Review, more: Partial<ReviewPost> = {}): Promise<Published> {
  const host: GithubHost = { apiUrl: server.url, serverUrl: 'https://github.com', owner: 'acme', repo: 'shop', pull: 7, token: SERVER_TOKEN };
  const target = { host, pull: 7, headSha: server.state.headSha };
  return publishReview(createGithubApi(host, 'step-lock-test', { second: 1 }), target, { review, diff: DIFF, pathPrefix: '', source: (file) => SOURCES[file], ...more });
}

/** A review whose new findings stand on the lines of the diff, one a line. */
function reviewOfMany(lines: readonly number[]): Review {
  const review = changedReview();
  const [first] = review.findings;
  if (first === undefined) throw new Error('the sample has lost its findings');
  const findings = lines.map((line, at): Finding => ({ ...first, id: `f${at}`, file: 'src/worker.ts', line, endLine: line, fingerprint: `${line}`.padStart(20, '0'), severity: at % 2 === 0 ? 'warning' : 'error' }));
  return { ...review, findings };
}

function bodies(comments: readonly StoredComment[] = server.state.reviewComments): string {
  return comments.map(({ body }) => body).join('\n');
}

describe('a first run', () => {
  it('writes the new findings as one review and one summary', async () => {
    expect(await publish(changedReview())).toEqual({ ...NOTHING, commented: 2, summary: 'written' });
    expect(server.writes()).toEqual([REVIEWS, SUMMARY]);
    expect(server.traffic.find(({ path }) => path.endsWith('/reviews'))?.body).toMatchObject({
      commit_id: server.state.headSha, event: 'COMMENT', comments: [{ path: 'src/worker.ts', line: 2, side: 'RIGHT' }, { path: 'src/worker.ts', line: 3, side: 'RIGHT' }],
    });
  });

  it('tells a finding with its path, its mend and a suggestion of whole lines', async () => {
    await publish(changedReview());
    expect(server.state.reviewComments[0]?.body).toMatchInlineSnapshot(`
      "<!-- step-lock:finding:00000000000000000002 -->
      **error**, certain, \`require-ttl\`

      the lock \`step:\${id}\` is broken

      **To do:** Pass \`PX\` with a time.

      Set an expiry with \`PX\`.

      \`\`\`suggestion
        await redis.set(\`step:\${id}\`, owner, "PX", 30000, "NX");
      \`\`\`

      **Path**

      1. acquire \`src/worker.ts:2\` no TTL
      2. await \`src/worker.ts:3\` a crash here leaves \`step:\${id}\` for good
      3. call \`src/lib/work.ts:120\`

      <sub>Second worker: \`src/api|v2/steps.ts:40:5\`. To validate: V3 TTL expiry after a crash. \`step-lock explain require-ttl\` tells more.</sub>"
    `);
  });

  it('tells a finding of an untouched file at the changed line that brought it', async () => {
    await publish(changedReview());
    expect(server.state.reviewComments[1]?.body).toMatchInlineSnapshot(`
      "<!-- step-lock:finding:00000000000000000001 -->
      **warning**, likely, \`require-cas\` at \`src/api|v2/steps.ts:40\`

      the lock a\\|b \\<c\\> \\*d\\* is broken

      Brought by \`src/worker.ts:3\`: the caller no longer takes \`step:1\`

      **To do:** Mend it.

      <sub>To validate: V5 compare-and-swap failure. Owner: \`@acme/steps\`. \`step-lock explain require-cas\` tells more.</sub>"
    `);
  });

  it('sums up: what is new, how the protocol moved, what was mended, what is open', async () => {
    await publish(changedReview());
    expect(server.state.issueComments[0]?.body).toMatchInlineSnapshot(`
      "<!-- step-lock:summary -->
      ### step-lock: 2 new findings

      Against \`main\` (merge base \`ba5e00000000\`): **2 new**, 1 mended, 3 there before.

      Verdict on the whole code: **not-ready**. 2 errors and 1 warning (beside 1 accepted and 1 in the baseline) to mend or to answer for (profile recommended).

      #### New

      - **error** \`require-ttl\` [\`src/worker.ts:2\`](<https://github.com/acme/shop/blob/c0ffee0000000000000000000000000000000001/src/worker.ts#L2>): the lock \`step:\${id}\` is broken (comment in the diff)
      - **warning** \`require-cas\` [\`src/api|v2/steps.ts:40\`](<https://github.com/acme/shop/blob/c0ffee0000000000000000000000000000000001/src/api%7Cv2/steps.ts#L40>): the lock a\\|b \\<c\\> \\*d\\* is broken (comment in the diff)
        - Brought by [\`src/worker.ts:3\`](<https://github.com/acme/shop/blob/c0ffee0000000000000000000000000000000001/src/worker.ts#L3>): the caller no longer takes \`step:1\`

      #### How the protocol moved

      - **weaker** \`step:\${id}\`: TTL 30 s to 5 s ([\`src/worker.ts:2\`](<https://github.com/acme/shop/blob/c0ffee0000000000000000000000000000000001/src/worker.ts#L2>))
      - **stronger** \`step\`: guard added in \`finish\` ([\`src/ok.ts:3\`](<https://github.com/acme/shop/blob/c0ffee0000000000000000000000000000000001/src/ok.ts#L3>))

      #### Mended or taken away

      - \`no-floating-lock\` was at \`src/gone.ts:7\`: the lock \`x\` was dropped

      #### Questions

      1 answer settles 1 of 1 unknown:

      - Does \`work\` free the lock? Say: \`policy: { onOutage: 'fail-closed' }\`.

      #### Not judged to the end (1)

      - \`src/big.ts:5\` budget spent

      <sub>step-lock 1.2.3, profile recommended, commit \`c0ffee000000\`.</sub>
      "
    `);
  });

  it('says nothing where a change brings nothing', async () => {
    const review = changedReview();
    const quiet: Review = { ...review, findings: review.findings.filter(({ change }) => change === 'old'), ...(review.change && { change: { ...review.change, fixed: [], protocol: [] } }) };
    expect(await publish(quiet)).toEqual({ ...NOTHING, summary: 'none' });
    expect(server.writes()).toEqual([]);
  });

  it('puts everything into the summary where nothing is known of the diff', async () => {
    expect(await publish(changedReview(), { diff: undefined })).toEqual({ ...NOTHING, summary: 'written', inSummary: 2 });
    expect(server.writes()).toEqual([SUMMARY]);
  });

  it('tells paths from the top of the repository', async () => {
    server.state.diff = { 'packages/a b/src/worker.ts': [1, 2, 3, 4] };
    await publish(changedReview(), { pathPrefix: 'packages/a b/' });
    expect(server.state.reviewComments.map(({ path }) => path)).toEqual(['packages/a b/src/worker.ts', 'packages/a b/src/worker.ts']);
    expect(bodies(server.state.issueComments)).toContain('/packages/a%20b/src/worker.ts#L2>');
  });

  it('marks the lines of a finding of several lines only where one hunk shows them all', async () => {
    const long = (first: number, last: number): Review => ({ ...reviewOfMany([first]), findings: reviewOfMany([first]).findings.map((finding) => ({ ...finding, endLine: last })) });
    await publish(long(2, 4));
    expect(server.state.reviewComments.at(-1)).toMatchObject({ start_line: 2, line: 4 });
    await publish(long(3, 9));
    expect(server.state.reviewComments.at(-1)).toMatchObject({ line: 3 });
    expect(server.state.reviewComments.at(-1)).not.toHaveProperty('start_line');
  });

  it('has no room for an eleventh comment: the worst ten are in the diff, the rest in the summary', async () => {
    const lines = Array.from({ length: 14 }, (_, at) => at + 1);
    server.state.diff = { 'src/worker.ts': lines };
    expect(await publish(reviewOfMany(lines), { diff: { files: [{ path: 'src/worker.ts', shown: [{ first: 1, last: 14 }] }] } })).toMatchObject({ commented: 10, inSummary: 4 });
    // Every second finding is an error: all seven, then three warnings.
    expect(server.state.reviewComments.filter(({ body }) => body.includes('**error**'))).toHaveLength(7);
    expect(bodies(server.state.issueComments).match(/\(comment in the diff\)/g)).toHaveLength(10);
  });
});

describe('a second run', () => {
  it('over the same review writes nothing', async () => {
    await publish(changedReview());
    server.forget();
    expect(await publish(changedReview())).toEqual(NOTHING);
    expect(server.writes()).toEqual([]);
  });

  it('finds its comments on later pages', async () => {
    const chatter = (id: number): StoredComment => ({ id, body: 'I see', user: { login: 'ann', type: 'User' } });
    for (let id = 1; id <= 250; id++) {
      server.state.reviewComments.push(chatter(id));
      server.state.issueComments.push(chatter(id));
    }
    await publish(changedReview());
    server.forget();
    expect(await publish(changedReview())).toEqual(NOTHING);
    expect(server.traffic.filter(({ path }) => path.startsWith('/repos/acme/shop/pulls/7/comments')).map(({ path }) => new URL(path, server.url).searchParams.get('page'))).toEqual([null, '2', '3']);
  });

  it('on a further commit updates the summary in place and comments on what is new only', async () => {
    await publish(changedReview());
    server.forget();
    server.state.headSha = 'c0ffee0000000000000000000000000000000002';
    const more = changedReview();
    const [first] = more.findings;
    const review = { ...more, findings: [...more.findings, ...(first === undefined ? [] : [{ ...first, id: 'f9', file: 'src/worker.ts', line: 4, endLine: 4, fingerprint: 'f'.repeat(20) }])] };
    expect(await publish(review)).toEqual({ ...NOTHING, commented: 1, summary: 'updated' });
    expect(server.writes()).toEqual([REVIEWS, `PATCH /repos/acme/shop/issues/comments/${server.state.issueComments[0]?.id ?? 0}`]);
    expect(server.state.issueComments).toHaveLength(1);
  });

  it.each([['ann', 'ann'], ['github-actions[bot]', 'github-actions'], ['some-app[bot]', undefined]])('knows the comments of %s where GraphQL says %s', async (login, viewer) => {
    Object.assign(server.state, { login, viewer });
    await publish(changedReview());
    expect(await publish(changedReview())).toEqual(NOTHING);
  });

  it('does not take the marker of a stranger for its own', async () => {
    const forged = (body: string, id: number): StoredComment => ({ id, path: 'src/worker.ts', line: 2, body, user: { login: 'mallory', type: 'User' } });
    server.state.reviewComments.push(forged('<!-- step-lock:finding:00000000000000000002 -->\nnothing to see', 1));
    server.state.issueComments.push(forged('<!-- step-lock:summary -->\nall fine', 2));
    expect(await publish(changedReview())).toMatchObject({ commented: 2, summary: 'written' });
    expect(server.state.issueComments[0]?.body).toBe('<!-- step-lock:summary -->\nall fine');
  });

  it('does not take a marker for one that stands within a comment', async () => {
    await publish(changedReview());
    const [own] = server.state.reviewComments;
    if (own === undefined) throw new Error('no comment was written');
    own.body = `I quote:\n${own.body}`;
    expect(await publish(changedReview())).toMatchObject({ commented: 1 });
  });

  it('counts comments that are open already towards the ten', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => at + 1);
    server.state.diff = { 'src/worker.ts': lines };
    const diff = { files: [{ path: 'src/worker.ts', shown: [{ first: 1, last: 20 }] }] };
    await publish(reviewOfMany(lines.slice(0, 8)), { diff });
    expect(await publish(reviewOfMany(lines), { diff })).toMatchObject({ commented: 2, inSummary: 10 });
  });
});

describe('after the mend', () => {
  function mended(): Review {
    const review = changedReview();
    return { ...review, findings: review.findings.filter(({ rule }) => rule !== 'require-ttl') };
  }

  it('the comment is collapsed, its thread resolved, and the summary tells the rest', async () => {
    await publish(changedReview());
    server.forget();
    server.state.headSha = 'beef000000000000000000000000000000000003';
    expect(await publish(mended())).toEqual({ ...NOTHING, resolved: 1, summary: 'updated' });
    const [resolved, other] = server.state.reviewComments;
    expect(resolved?.body).toMatch(/^<!-- step-lock:resolved:00000000000000000002 -->\n<details><summary>Resolved in beef00000000: no longer found, or accepted.<\/summary>\n\n\*\*error\*\*[\s\S]*\n<\/details>$/);
    expect([resolved?.isResolved, other?.isResolved]).toEqual([true, undefined]);
    expect(bodies(server.state.issueComments)).toContain('### step-lock: 1 new finding\n');

    server.forget();
    expect(await publish(mended())).toEqual(NOTHING);
    expect(server.writes()).toEqual([]);
  });

  it('its thread is found on later pages', async () => {
    for (let id = 1; id <= 250; id++) server.state.reviewComments.push({ id, body: 'I see', user: { login: 'ann', type: 'User' } });
    await publish(changedReview());
    expect(await publish(mended())).toMatchObject({ resolved: 1, threads: true });
    expect(server.state.reviewComments.filter(({ isResolved }) => isResolved === true)).toHaveLength(1);
  });

  it('is told in the comment alone where the token may not resolve threads', async () => {
    await publish(changedReview());
    server.state.mayResolve = false;
    expect(await publish(mended())).toMatchObject({ resolved: 1, threads: false });
    expect(server.state.reviewComments[0]?.body).toMatch(/^<!-- step-lock:resolved:/);
  });

  it('an accepted finding is resolved too', async () => {
    await publish(changedReview());
    const review = changedReview();
    const accepted = { ...review, findings: review.findings.map((finding) => (finding.rule === 'require-ttl' ? { ...finding, exception: 'x1' } : finding)) };
    expect(await publish(accepted)).toMatchObject({ resolved: 1, commented: 0 });
  });

  it('a finding that is old by now stays as it is', async () => {
    await publish(changedReview());
    const review = changedReview();
    const merged = { ...review, findings: review.findings.map((finding): Finding => ({ ...finding, change: 'old' })) };
    expect(await publish(merged)).toMatchObject({ resolved: 0, commented: 0 });
  });

  it('a file that was not judged to the end resolves nothing', async () => {
    await publish(changedReview());
    expect(await publish({ ...mended(), errors: [{ file: 'src/worker.ts', line: 1, message: 'budget spent' }] })).toMatchObject({ resolved: 0 });
  });

  it('a fault that comes back opens its comment again and writes no second one', async () => {
    await publish(changedReview());
    await publish(mended());
    expect(await publish(changedReview())).toMatchObject({ commented: 0, reopened: 1 });
    expect(server.state.reviewComments).toHaveLength(2);
    expect(server.state.reviewComments[0]).toMatchObject({ isResolved: false, body: expect.stringMatching(/^<!-- step-lock:finding:00000000000000000002 -->\n\*\*error\*\*/) });
  });
});

describe('a line that GitHub does not see in the diff', () => {
  it('moves that finding to the summary, and the others are still comments', async () => {
    server.state.diff = { 'src/worker.ts': [3] };
    expect(await publish(changedReview())).toEqual({ ...NOTHING, commented: 1, summary: 'written', inSummary: 1 });
    expect(server.traffic.filter(({ method }) => method === 'POST').map(({ path, status }) => [path, status]).filter(([path]) => path !== '/graphql')).toEqual([
      ['/repos/acme/shop/pulls/7/reviews', 422], ['/repos/acme/shop/pulls/7/comments', 422], ['/repos/acme/shop/pulls/7/comments', 201], ['/repos/acme/shop/issues/7/comments', 201],
    ]);
    expect(bodies(server.state.issueComments)).toMatch(/`require-ttl` .*is broken\n {2}- Path: acquire `src\/worker\.ts:2`, await `src\/worker\.ts:3`, call `src\/lib\/work\.ts:120`\n {2}- To do: Pass `PX` with a time\./);
  });
});

describe('a server in trouble', () => {
  it('is asked again: 502 on reading', async () => {
    server.fail({ method: 'GET', path: /pulls\/7\/comments/, status: 502, times: 2 });
    expect(await publish(changedReview())).toMatchObject({ commented: 2, summary: 'written' });
  });

  it('502 on writing: begun again, and nothing stands there twice', async () => {
    server.fail({ method: 'POST', path: /\/reviews$/, status: 502 });
    expect(await publish(changedReview())).toMatchObject({ commented: 2 });
    expect(server.state.reviewComments).toHaveLength(2);
  });

  it('a 502 that hides a success does not bring a second comment', async () => {
    server.fail({ method: 'POST', path: /\/reviews$/, status: 502, after: true });
    server.fail({ method: 'POST', path: /issues\/7\/comments$/, status: 504, after: true });
    expect(await publish(changedReview())).toEqual({ ...NOTHING, commented: 2, summary: 'written' });
    expect([server.state.reviewComments.length, server.state.issueComments.length]).toEqual([2, 1]);
    server.forget();
    expect(await publish(changedReview())).toEqual(NOTHING);
  });

  it('gives up in the end', async () => {
    server.fail({ method: 'POST', path: /\/reviews$/, status: 503, times: 99 });
    await expect(publish(changedReview())).rejects.toMatchObject({ status: 503 });
  });

  it('waits out a secondary rate limit, as long as it is told to', async () => {
    const limited = { status: 403, headers: { 'retry-after': '7' }, body: { message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.' } };
    server.fail({ method: 'POST', path: /\/reviews$/, ...limited });
    server.fail({ method: 'GET', path: /issues\/7\/comments/, ...limited, times: 2 });
    expect(await publish(changedReview())).toMatchObject({ commented: 2, summary: 'written' });
    expect(server.writes()).toEqual([REVIEWS, REVIEWS, SUMMARY]);
  });

  it('does not wait for hours', async () => {
    server.fail({ method: 'GET', path: /issues\/7\/comments/, status: 403, headers: { 'retry-after': '3600' }, body: { message: 'You have exceeded a secondary rate limit.' }, times: 99 });
    await expect(publish(changedReview())).rejects.toBeInstanceOf(GithubRefusal);
  });
});

describe('hostile source', () => {
  it('comes out as text: no mention, no link, no HTML, no marker, no open fence, within the size GitHub takes', async () => {
    const review = hostileChange();
    const file = review.findings[0]?.file ?? '';
    server.state.diff = { [file]: Array.from({ length: 100 }, (_, at) => at + 1) };
    const source = (name: string): string | undefined => (name === file ? '```\n`````\n@everyone <!-- x -->\n'.repeat(20) : undefined);
    expect(await publish(review, { diff: { files: [{ path: file, shown: [{ first: 1, last: 100 }] }] }, source })).toMatchObject({ commented: 10, summary: 'written' });
    for (const { body } of [...server.state.reviewComments, ...server.state.issueComments]) {
      expect(Buffer.byteLength(body)).toBeLessThan(65_536);
      const html = rendered(body);
      expect(html.match(/<(?!\/?(?:p|strong|code|pre|ul|ol|li|h3|h4|sub)\b)[^>]*>/g)?.filter((tag) => !/^<(?:\/a|a href="https:\/\/github\.com\/acme\/shop\/blob\/[^"]*"|code class="language-suggestion"|ol start="\d+")>$/.test(tag)) ?? []).toEqual([]);
      const text = html.replace(/<(code|pre)\b[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, '');
      expect(text).not.toMatch(/@\w|#\d|GH-\d|:\/\/|www\./);
      expect(body).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u0000-\u0008\u001B]/);
    }
    server.forget();
    expect(await publish(review, { diff: { files: [{ path: file, shown: [{ first: 1, last: 100 }] }] }, source })).toMatchObject({ commented: 0, summary: 'unchanged' });
    expect(server.writes()).toEqual([]);
  });
});

it('leaves out a suggestion of a line that is longer than a comment', async () => {
  const source = 'x'.repeat(1_000_000);
  const review = reviewOfMany([1]);
  const findings = review.findings.map((finding): Finding => ({ ...finding, fix: { title: 'Mend.', edits: [{ start: 0, end: 1, text: 'y' }] } }));
  expect(await publish({ ...review, findings }, { source: () => source })).toMatchObject({ commented: 1 });
  expect(bodies()).not.toContain('suggestion');
});

it('never sends the token but to authenticate, and no error holds it', async () => {
  await publish(changedReview());
  expect(JSON.stringify(server.traffic.map(({ path, body }) => [path, body]))).not.toContain(SERVER_TOKEN);
  server.fail({ method: 'POST', path: /\/comments$/, status: 400, body: { message: `Bad: token ${SERVER_TOKEN}` }, times: 9 });
  server.fail({ method: 'PATCH', path: /./, status: 400, body: { message: `Bad: token ${SERVER_TOKEN}` }, times: 9 });
  server.state.headSha = 'beef000000000000000000000000000000000003';
  const error: unknown = await publish(changedReview()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 400, message: expect.stringContaining('***') });
  const told = error instanceof Error ? [error.message, error.stack, JSON.stringify(error), JSON.stringify(Object.getOwnPropertyDescriptors(error))].join('\n') : '';
  expect(told).not.toContain(SERVER_TOKEN);
});

/** As GitHub renders it before it looks for mentions and references; raw HTML is let through, as there. */
function rendered(body: string): string {
  return micromark(body.replace(/^<!--[^\n]*-->\n/, ''), { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true });
}
