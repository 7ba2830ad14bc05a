import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findChromium } from '../../scripts/find-chromium.mjs';

/** The browser of this machine; without one the browser tests are skipped, and `npm test` says why. */
export const CHROMIUM = findChromium();

export async function launch(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium');
  // A root user, as in a container, gets no sandbox.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

export interface OpenPage {
  readonly page: Page;
  /** Console errors, uncaught errors, refused loads, dialogs: all that a good page has none of. */
  readonly complaints: string[];
  /** What the page asked the network for beyond itself. */
  readonly requests: string[];
  readonly url: string;
}

/** Opens a report as a browser gets it from a server of its own; both end with the test. */
export async function open(browser: Browser, report: string, options: BrowserContextOptions = {}, anchor = ''): Promise<OpenPage> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(report));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of that kind.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  onTestFinished(async () => {
    await context.close();
    server.close();
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => { if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => { if (!request.isNavigationRequest()) requests.push(request.url()); });
  page.on('dialog', (dialog) => { complaints.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => { console.error(`policy: ${violatedDirective} ${blockedURI}`); });
  });
  await page.goto(`${url}${anchor}`);
  return { page, complaints, requests, url };
}
