// What every layer of the street map's style begins with. Pure.
import type { ExpressionSpecification } from 'maplibre-gl';
import type { StreetSchema, StreetSubject } from './streetSchemas.ts';

export const STREET_SOURCE = 'streets';

export interface StreetPart {
  readonly id: string;
  readonly source: string;
  readonly 'source-layer': string;
  readonly filter?: ExpressionSpecification;
}

/** The beginnings of a subject's layers, one for each place where the schema keeps it. `use` sets apart what is drawn twice. */
export function partsOf(schema: StreetSchema, subject: StreetSubject, use: string = subject): readonly StreetPart[] {
  return schema.subjects[subject].map(({ layer, filter }, at) => ({
    id: at === 0 ? use : `${use}-${at + 1}`,
    source: STREET_SOURCE,
    'source-layer': layer,
    ...(filter === undefined ? {} : { filter }),
  }));
}
