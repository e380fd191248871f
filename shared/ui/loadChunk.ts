// Loads a part of a page that comes when it is needed. Knows no component library: the video pages load parts too.

const CHUNK_TIMEOUT_MS = 120_000;

/** A chunk that failed or did not load in time. `chunk` is its file's name. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly chunk: string;

  constructor(chunk: string, options?: ErrorOptions) {
    super(`the script ${chunk} did not load`, options);
    this.chunk = chunk;
  }
}

/**
 * Loads a chunk within `timeoutMs`. Its name comes from the browser's message, which has the address, and when
 * nothing was said, from the loader's own text: after bundling, `import("./Name-hash.js")` stands in it.
 */
export async function loadChunk<Module>(
  load: () => Promise<Module>,
  fallbackName: string,
  timeoutMs = CHUNK_TIMEOUT_MS,
): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const chunk = fileIn(said) ?? fileIn(String(load)) ?? fallbackName;
    throw new ChunkLoadError(chunk, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function fileIn(text: string): string | undefined {
  return /([\w.-]+\.(?:js|mjs|tsx?|css))\b/.exec(text)?.[1];
}
