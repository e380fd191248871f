// The layout of a row's parts, in a wide list and in a narrow one. Column heads use the same layout.

const CHECK_PIXELS = 40;

export const WIDE_AREAS = {
  gridTemplateColumns: `${CHECK_PIXELS}px 24px minmax(0, 1.5fr) minmax(0, 1.2fr) 124px minmax(0, 0.8fr) 58px`,
  gridTemplateAreas: '"check icon type device time status media" "check icon more plate length who media"',
} as const;

/** Three lines; what has a line of its own in the wide list stands beside something else. */
export const COMPACT_AREAS = {
  gridTemplateColumns: `${CHECK_PIXELS}px 24px minmax(0, 1fr) max-content fit-content(45%)`,
  gridTemplateAreas: '"check icon type type time" "check icon device device status" "check icon more media length"',
  '& [data-end]': { justifySelf: 'end' },
} as const;
