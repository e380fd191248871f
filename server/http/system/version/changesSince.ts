// What is new in a version: sections of CHANGELOG.md. Pure.
import type { Changes } from '../../../../shared/protocol/api/system/about.ts';

/** Maximum characters: more than anybody reads at once, and a page has to lay them out. */
const MAX_CHANGES = 100_000;

interface Section {
  /** '' for changes that belong to no version yet. */
  readonly version: string;
  readonly text: string;
}

const HEADING = /^## \[?([^\]\s]+)/;
const UNRELEASED = 'unreleased';

/**
 * Sections from after the previous version up to this one; without a previous one, of this version alone. Unreleased changes are part of
 * the build that the file came with.
 */
export function changesSince(
  changelog: string,
  { version, previous = '' }: { readonly version: string; readonly previous?: string | undefined },
  max = MAX_CHANGES,
): Changes {
  const isNew = (section: Section): boolean => {
    if (section.version === '') return true;
    if (previous === '') return section.version === version;
    return compareVersions(section.version, previous) > 0 && compareVersions(section.version, version) <= 0;
  };
  const texts = sectionsOf(changelog).filter((section) => isNew(section));
  const markdown = texts.map(({ text }) => text).join('\n\n');
  if (markdown.length <= max) return { previousVersion: previous, markdown, isCut: false };
  const end = markdown.lastIndexOf('\n', max);
  return { previousVersion: previous, markdown: markdown.slice(0, Math.max(end, 0)), isCut: true };
}

/** The sections that say something. */
function sectionsOf(changelog: string): readonly Section[] {
  return changelog.split(/^(?=## )/m).flatMap((part) => {
    const text = part.trim();
    const name = HEADING.exec(text)?.[1];
    if (name === undefined || !text.includes('\n')) return [];
    return [{ version: name.toLowerCase() === UNRELEASED ? '' : name, text }];
  });
}

/** Compares semantic versions: 1.10 is newer than 1.9, and 1.10-rc.1 older than 1.10. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at++) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.preview === '' || right.preview === '') return Number(left.preview === '') - Number(right.preview === '');
  return left.preview.localeCompare(right.preview, 'en', { numeric: true });
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly preview: string } {
  const [, core = '', preview = ''] = /^v?([\d.]*)-?([^+]*)/.exec(version) ?? [];
  return { numbers: core.split('.').map(Number), preview };
}
