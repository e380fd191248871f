// Where an error was thrown, in the files that people edit: the product runs from few large ones.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A place in a stack: the address of a script of the product, its line from 1, and its column, which is of that script alone. */
const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):\d+/g;

/** What the build says of a script, see `writePlaces` there. */
interface Places {
  readonly sources: readonly string[];
  /** Two numbers for each line: its source from 1, and the line there. */
  readonly lines: Buffer;
}

const BYTES_A_LINE = 8;
/** Read with the first error of each script. */
const known = new Map<string, Places | undefined>();

/** The stack with places in the sources, such as `server/main.ts:12`, where the build has named them; else as it is. */
export function sourceStack(stack: string): string {
  return stack.replace(PLACE, (place: string, address: string, line: string) => {
    return sourcePlace(placesOf(fileURLToPath(address)), Number(line)) ?? place;
  });
}

function sourcePlace(places: Places | undefined, line: number): string | undefined {
  const at = (line - 1) * BYTES_A_LINE;
  if (places === undefined || at < 0 || at + BYTES_A_LINE > places.lines.length) return undefined;
  const source = places.sources[places.lines.readUInt32LE(at) - 1];
  return source === undefined ? undefined : `${source}:${places.lines.readUInt32LE(at + 4)}`;
}

function placesOf(script: string): Places | undefined {
  if (known.has(script)) return known.get(script);
  const places = readPlaces(`${script}.places.json`);
  known.set(script, places);
  return places;
}

function readPlaces(file: string): Places | undefined {
  try {
    const { sources, lines } = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[]; lines: string };
    return { sources, lines: Buffer.from(lines, 'base64') };
  } catch {
    // Run from source, or copied without it: the place in the script has to do.
    return undefined;
  }
}
