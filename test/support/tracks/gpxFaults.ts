// Holds a GPX file against the structure of the schema of GPX 1.1 (topografix.com/GPX/1/1/gpx.xsd): which elements, in which order, how
// often, and the types of what stands in them. As far as tracks go.
import type { Document, Element } from '@xmldom/xmldom';

const GPX = 'http://www.topografix.com/GPX/1/1';
const POINT_EXTENSION = 'http://www.garmin.com/xmlschemas/TrackPointExtension/v2';

interface ElementType {
  /** In the order of the schema's sequence; those with * may come more than once. */
  readonly children?: readonly string[];
  readonly attributes?: Readonly<Record<string, Check>>;
  readonly text?: Check;
}

type Check = (text: string) => boolean;

const isDecimal: Check = (text) => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text);
const isDateTime: Check = (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
const isText: Check = (text) => text !== '';
const isLatitude: Check = (text) => isDecimal(text) && Math.abs(Number(text)) <= 90;
const isLongitude: Check = (text) => isDecimal(text) && Number(text) >= -180 && Number(text) < 180;
const isCourse: Check = (text) => isDecimal(text) && Number(text) >= 0 && Number(text) <= 360;

const DESCRIPTION = ['name', 'cmt', 'desc', 'src', 'link*'];
const TYPES: Readonly<Record<string, ElementType>> = {
  [`${GPX} gpx`]: {
    children: ['metadata', 'wpt*', 'rte*', 'trk*', 'extensions'],
    attributes: { version: (text) => text === '1.1', creator: isText },
  },
  [`${GPX} trk`]: { children: [...DESCRIPTION, 'number', 'type', 'extensions', 'trkseg*'] },
  [`${GPX} trkseg`]: { children: ['trkpt*', 'extensions'] },
  [`${GPX} trkpt`]: {
    children: ['ele', 'time', 'magvar', 'geoidheight', ...DESCRIPTION, 'sym', 'type', 'fix', 'sat', 'extensions'],
    attributes: { lat: isLatitude, lon: isLongitude },
  },
  [`${GPX} name`]: { text: isText },
  [`${GPX} ele`]: { text: isDecimal },
  [`${GPX} time`]: { text: isDateTime },
  [`${GPX} extensions`]: { children: ['TrackPointExtension'] },
  [`${POINT_EXTENSION} TrackPointExtension`]: { children: ['atemp', 'hr', 'cad', 'speed', 'course', 'bearing'] },
  [`${POINT_EXTENSION} speed`]: { text: isDecimal },
  [`${POINT_EXTENSION} course`]: { text: isCourse },
};

/** Each as a sentence; none in a file that keeps to the schema. */
export function gpxFaults(document: Document): readonly string[] {
  const root = document.documentElement;
  if (root === null || root.localName !== 'gpx') return ['the root is not gpx'];
  return faultsOf(root);
}

function faultsOf(element: Element): string[] {
  const name = element.localName ?? '';
  const type = TYPES[`${element.namespaceURI} ${name}`];
  if (type === undefined) return [`${element.namespaceURI} has no ${name} here`];
  const children = [...element.childNodes].filter((node): node is Element => node.nodeType === element.ELEMENT_NODE);
  return [
    ...attributeFaults(element, type.attributes ?? {}),
    ...orderFaults(name, children, type.children ?? []),
    ...(type.text === undefined || type.text(element.textContent ?? '') ? [] : [`${name}: ${element.textContent}`]),
    ...children.flatMap(faultsOf),
    // Anything but the schema's own elements.
    ...(name === 'extensions' && children.some(({ namespaceURI }) => namespaceURI === GPX)
      ? ['an extension is in the namespace of GPX']
      : []),
  ];
}

function attributeFaults(element: Element, checks: Readonly<Record<string, Check>>): string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const value = element.getAttribute(name) ?? '';
    return check(value) ? [] : [`${element.localName} ${name}: ${value}`];
  });
}

function orderFaults(parent: string, children: readonly Element[], sequence: readonly string[]): string[] {
  let place = -1;
  return children.flatMap(({ localName }) => {
    const next = sequence.findIndex((each) => each.replace('*', '') === localName);
    const isRight = next > place || (next === place && sequence[next]?.endsWith('*') === true);
    place = Math.max(place, next);
    return next >= 0 && isRight ? [] : [`${parent}: ${localName} is out of place`];
  });
}
