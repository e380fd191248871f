import type { BytesMatch, CustomSource } from '../../../shared/protocol/events/customSource.ts';
import type { PositionItem } from '../../device/jt808/codec/messages/position.ts';
import { Origin, type Signal, type SignalForm } from './signal.ts';

/** An event type that an administrator has made. */
export interface CustomType {
  readonly code: string;
  readonly source: CustomSource;
}

type SourceOf<Kind extends CustomSource['kind']> = Extract<CustomSource, { readonly kind: Kind }>;
type TypesBy<Kind extends CustomSource['kind']> = Map<
  number,
  { readonly code: string; readonly source: SourceOf<Kind> }[]
>;

/** The types that administrators have made and not disabled, by where they are found. A new object is made when one of them changes. */
export class CustomTypes {
  readonly #byItem: TypesBy<'position-item'> = new Map();
  readonly #byPassthrough: TypesBy<'passthrough'> = new Map();

  constructor(types: readonly CustomType[]) {
    for (const { code, source } of types) {
      if (source.kind === 'position-item') listIn(this.#byItem, source.itemId).push({ code, source });
      else listIn(this.#byPassthrough, source.passthroughType).push({ code, source });
    }
  }

  /** Whether any of them may be found in these items. */
  watches(items: readonly PositionItem[]): boolean {
    return this.#byItem.size > 0 && items.some(({ id }) => this.#byItem.has(id));
  }

  /** Signals with each type at most once: a terminal may send an item several times, such as once per sensor. */
  itemSignals(items: readonly PositionItem[]): Signal[] {
    const signals = new Map<string, Signal>();
    for (const { id, value } of items) {
      for (const { code, source } of this.#byItem.get(id) ?? []) {
        if (matches(source.match, value)) signals.set(code, signalOf(code, source.form));
      }
    }
    return [...signals.values()];
  }

  passthroughSignals(passthroughType: number, data: Uint8Array): Signal[] {
    const types = this.#byPassthrough.get(passthroughType) ?? [];
    return types
      .filter(({ source: { match } }) => match === null || matches(match, data))
      .map(({ code }) => signalOf(code, 'momentary'));
  }
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** False where there are too few bytes. */
function matches({ offset, width, mask, value }: BytesMatch, bytes: Uint8Array): boolean {
  if (offset + width > bytes.length) return false;
  const number = bytes.subarray(offset, offset + width).reduce((high, byte) => high * 256 + byte, 0);
  return (number & mask) >>> 0 === value;
}

function signalOf(type: string, form: SignalForm): Signal {
  return { type, unit: 0, area: 0, form, origin: Origin.Custom };
}
