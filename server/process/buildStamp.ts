// What this gateway was built from.
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export interface BuildStamp {
  /** Hash of the commit; '' for a build without git, and for a gateway that runs from source. */
  readonly commit: string;
  /** Milliseconds since the epoch: when the commit was made, without git when the product was built. 0: not built. */
  readonly dateMs: number;
  /** Whether the sources differed from the commit. */
  readonly isModified: boolean;
}

const UNBUILT: BuildStamp = { commit: '', dateMs: 0, isModified: false };

/** `from`: the folder of the code that runs. The stamp of an earlier build says nothing of code that runs from source. */
export function readBuildStamp(projectRoot: string, from: string = import.meta.dirname): BuildStamp {
  const built = join(projectRoot, 'dist/gateway');
  if (!from.startsWith(`${built}${sep}`)) return UNBUILT;
  try {
    return parseStamp(readFileSync(join(built, 'build.json'), 'utf8'));
  } catch {
    // Copied without it, or cut short: nothing but the page of the version depends on it.
    return UNBUILT;
  }
}

function parseStamp(text: string): BuildStamp {
  const { commit, date, modified } = JSON.parse(text) as Record<string, unknown>;
  const dateMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return {
    commit: typeof commit === 'string' ? commit : '',
    dateMs: Number.isNaN(dateMs) ? 0 : dateMs,
    isModified: modified === true,
  };
}
