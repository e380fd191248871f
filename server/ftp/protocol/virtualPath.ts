// Folders and files as a terminal names them. They are text only, which never reaches the disk. Pure.

/** Folders deeper than this are left out. */
const MAX_DEPTH = 32;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The absolute path that a command names from a folder. `..` stops at the root; backslashes are separators too, as some terminals
 * write them. Undefined for an argument that is not a name.
 */
export function resolvePath(folder: string, argument: string): string | undefined {
  if (CONTROL.test(argument)) return undefined;
  const text = argument.replaceAll('\\', '/');
  const parts: string[] = text.startsWith('/') ? [] : partsOf(folder);
  for (const part of partsOf(text)) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.length > MAX_DEPTH ? undefined : `/${parts.join('/')}`;
}

/** The last part of the path; empty for the root. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path for answers to PWD and MKD, with its quotes doubled. */
export function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
