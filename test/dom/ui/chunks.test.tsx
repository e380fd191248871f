import { screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ChunkBoundary, lazyPart } from '../../../shared/ui/chunks.tsx';
import { ChunkLoadError, loadChunk } from '../../../shared/ui/loadChunk.ts';
import { planGateway, renderPage, watchWarnings } from '../../support/browser/renderPage.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => undefined);

describe('a chunk (S-8.14)', () => {
  test('that loads is given as it is, and no timer is left', async () => {
    vi.useFakeTimers();
    expect(await loadChunk(async () => 7, 'Part')).toBe(7);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that the browser cannot fetch is named as the browser names it', async () => {
    const said = 'Failed to fetch dynamically imported module: http://localhost/assets/HomeTiles-Dx_1-a.js';
    const failure = await loadChunk(() => Promise.reject(new TypeError(said)), 'Part').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChunkLoadError);
    expect(failure).toMatchObject({ chunk: 'HomeTiles-Dx_1-a.js', cause: { message: said } });
  });

  test('that does not come within 120000 ms fails, and not before', async () => {
    vi.useFakeTimers();
    const failed = vi.fn();
    void loadChunk(() => never, 'Part').catch(failed);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed.mock.calls).toMatchObject([[{ name: 'ChunkLoadError', chunk: 'Part' }]]);
  });

  test('whose loader names its file is called by that when nothing was said', async () => {
    const load = Object.assign(() => Promise.reject(new Error('gone')), {
      toString: () => '()=>import("./Tiles-ab12.js")',
    });
    await expect(loadChunk(load, 'Part')).rejects.toMatchObject({ chunk: 'Tiles-ab12.js' });
  });

  test('that is missing is named on the page, which offers to load again', async () => {
    watchWarnings();
    planGateway();
    const Part = lazyPart<object>('Part', () => Promise.reject(new TypeError('cannot load /assets/Part-9.js')));
    await renderPage(
      <ChunkBoundary>
        <Suspense fallback={null}>
          <Part />
        </Suspense>
      </ChunkBoundary>,
    );
    expect(screen.getByRole('alert').textContent).toContain('Part-9.js');
    expect(screen.getByRole('button', { name: 'Reload page' })).toBeDefined();
  });
});
