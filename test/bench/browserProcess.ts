import type { Browser } from 'playwright-core';

/** ID of the browser's main process, the root of all its others. */
export async function browserProcessId(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const main = processInfo.find(({ type }) => type === 'browser');
  await session.detach();
  if (main === undefined) throw new Error('the browser does not name its process');
  return main.id;
}
