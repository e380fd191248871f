// Which modules of the pages share a script.
//
// Left alone, the bundler makes a script for every set of places that share a module: 73 for a page with a table, most of them
// under a kilobyte. A browser asks for six at a time of a gateway that speaks HTTP/1.1, so each handful is a round trip.

/** @typedef {import('vite').Rolldown.ModuleInfo} ModuleInfo */

/** What only some pages have and is too large for the others: it has a script of its own, wherever it is used. */
const LARGE = [
  { name: 'dates', test: /[\\/]@mui[\\/]x-date-pickers[\\/]|[\\/]ui[\\/]form[\\/](PickerTexts|DateTimeInput)/ },
  { name: 'table', test: /[\\/]@mui[\\/]x-data-grid[\\/]|[\\/]ui[\\/]table[\\/]/ },
];
/** Pages that are alike have it at once, another in a dialog: within their common script, that dialog would load it all. */
const ERRORS = /[\\/]i18n[\\/]errorText/;
/** A few lines each, which one page has at once and others in a part that comes later: no script of their own is worth its request. */
const SMALL = /[\\/]ui[\\/]sync[\\/]use(Fetched|MayFetch)\./;
/** Half a kilobyte of names, which most pages have at once and the others in a part that comes later. */
const NAMES = /[\\/]protocol[\\/]permissions\./;
/** Words and calls of one page, which it has at once and its dialogs as well: together they are worth a request. */
const BACKUP =
  /[\\/]sysbackup[\\/]words[\\/]|[\\/]api[\\/]backup[\\/]|[\\/]protocol[\\/](backup|api[\\/]system)[\\/]\w*(backup|restore)/i;
const FORM = /[\\/]ui[\\/]form[\\/](?!PickerTexts|DateTimeInput)/;

/**
 * One script of what all pages load at once, and one of what several similar pages do. What only one page has, and its parts
 * that come later, are left to the bundler, but for forms and what is large. A group takes in what its modules need and no
 * group of a higher priority has.
 *
 * @param {readonly string[]} pages the files of all
 * @param {readonly string[]} alike the files of those that may share more than all of them do
 * @returns {import('vite').Rolldown.CodeSplittingOptions}
 */
export function scriptGroups(pages, alike) {
  /** @type {import('vite').Rolldown.CodeSplittingNameFunction} */
  const nameOf = (id, graph) => {
    const users = pagesWith(id, graph, atOnce);
    if (users.length === pages.length || NAMES.test(id)) return 'frame';
    if (SMALL.test(id)) return 'common';
    const isCommon = users.length > 1 && pagesWith(id, graph, everBy).every((page) => alike.includes(page));
    return isCommon && !LARGE.some(({ test }) => test.test(id)) ? 'common' : null;
  };
  return {
    groups: [
      { priority: 4, debugName: 'frame', name: (id, graph) => (nameOf(id, graph) === 'frame' ? 'frame' : null) },
      ...(alike.length < pages.length ? [{ priority: 3, minShareCount: 2, name: 'errors', test: ERRORS }] : []),
      { priority: 2, debugName: 'common', name: nameOf },
      { priority: 1, minShareCount: 2, name: 'form', test: FORM },
      { priority: 1, minShareCount: 2, name: 'backup', test: BACKUP },
      ...LARGE.map((group) => ({ ...group, priority: 1, minShareCount: 2 })),
    ],
  };
}

/** @param {ModuleInfo} module */
const atOnce = ({ importers }) => importers;

/** Parts included that come when somebody opens them. @param {ModuleInfo} module */
const everBy = ({ importers, dynamicImporters }) => [...importers, ...dynamicImporters];

/**
 * The pages that load a module.
 *
 * @param {string} id
 * @param {import('vite').Rolldown.ChunkingContext} graph
 * @param {(module: ModuleInfo) => readonly string[]} importersOf
 */
function pagesWith(id, graph, importersOf) {
  const pages = [];
  const seen = new Set([id]);
  for (const at of seen) {
    const module = graph.getModuleInfo(at);
    if (module === null) continue;
    if (module.isEntry) pages.push(at);
    for (const importer of importersOf(module)) seen.add(importer);
  }
  return pages;
}
