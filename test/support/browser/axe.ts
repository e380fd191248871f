// axe in pages of ours: its script is put into a page once, and each run asks for nothing that nobody reads.
import axe, { type RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

export interface AxeLook {
  /** A selector. */
  readonly part?: string | undefined;
  /** Rules that are not asked for. */
  readonly off?: readonly string[];
  /** The rules that are asked for, where these are not all. */
  readonly only?: readonly string[] | undefined;
}

/** What axe finds in a page, a line for each rule. */
export async function runAxe(page: Page, { part, off = [], only }: AxeLook): Promise<string[]> {
  await putIntoFrames(page);
  const options: RunOptions = {
    // Elements that pass are not described: on a page with a table that takes longer than the rules.
    resultTypes: ['violations'],
    rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
    ...(only !== undefined && { runOnly: [...only] }),
    iframes: page.frames().length > 1,
  };
  const violations = await page.evaluate(
    async ({ part, options }) => {
      const results = await window.axe?.run(part ?? document, options);
      return results?.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 200)) }));
    },
    { part, options },
  );
  if (violations === undefined) throw new Error('axe is not in the page');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`);
}

/** A script of half a megabyte, which stays until the page goes elsewhere. */
async function putIntoFrames(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    // A frame without scripts, such as the preview of a mail, takes none of ours either.
    if (frame === page.mainFrame()) await putInto(frame);
    else await putInto(frame).catch(() => undefined);
  }
}

async function putInto(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => window.axe !== undefined))) await frame.evaluate(axe.source);
}
