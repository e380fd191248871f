import { afterEach, expect, it } from 'vitest';
import { downloadFrom } from '../../../../shared/ui/files/browserDownload.ts';

const addresses = () => [...document.querySelectorAll('iframe')].map((frame) => frame.getAttribute('src'));
afterEach(() => document.body.replaceChildren());

it('keeps the frames of the latest downloads alone, however many there are', () => {
  for (let at = 0; at < 25; at++) downloadFrom(`about:blank#${at}`);
  expect(addresses()).toEqual(Array.from({ length: 10 }, (_, at) => `about:blank#${at + 15}`));
});
