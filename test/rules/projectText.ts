// What no text of the project may hold, because it is true on one machine only.

const FORBIDDEN: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  // Where packages come from is each machine's own configuration.
  {
    what: 'a package registry',
    pattern: /\bregistry\.[a-z0-9-]+\.[a-z]{2,}|\b(?:npm|pypi|deb)\.[a-z0-9.-]*\.(?:com|org|net)\b/,
  },
  { what: 'a registry setting', pattern: /\bregistry\s*=\s*["']?https?:/ },
  { what: "a developer's folder", pattern: /(?<![\w.~/-])\/(?:work|home\/[\w.-]+|Users\/[\w.-]+)\/|[A-Z]:\\Users\\/ },
];

/** What of it a text holds, with the place, or nothing. */
export function complaintsAbout(path: string, text: string): string[] {
  return FORBIDDEN.flatMap(({ what, pattern }) => {
    const at = pattern.exec(text);
    return at === null ? [] : [`${path}:${text.slice(0, at.index).split('\n').length}: ${what} (${at[0].trim()})`];
  });
}
