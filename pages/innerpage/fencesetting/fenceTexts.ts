// The words of fences in the user's language.

import { useTranslation } from 'react-i18next';
import { listText } from '../../../shared/i18n/listText.ts';
import type { Fence, FenceImportFault } from '../../../shared/protocol/api/fences/fences.ts';
import type { FenceKind, TerminalAreaNote, TerminalAreaState } from '../../../shared/protocol/fences/fenceWords.ts';
import type { FenceTexts } from './edit/fenceChecks.ts';

/** Digits are grouped alike in every language. */
const NUMBER = new Intl.NumberFormat('en-US');

export function useKindText(): (kind: FenceKind) => string {
  const { t } = useTranslation('FenceSetting');
  const names: Readonly<Record<FenceKind, string>> = {
    polygon: t('Polygon'),
    circle: t('Circle'),
    rectangle: t('Rectangle'),
    corridor: t('Corridor'),
  };
  return (kind) => names[kind];
}

/** Why an outline, or a row of a file, is refused. `at`: the position that can't be read. */
export function useFaultText(): (fault: FenceImportFault, at?: string) => string {
  const { t } = useTranslation('FenceSetting');
  const texts: Readonly<Record<Exclude<FenceImportFault, 'bad-coordinates'>, string>> = {
    'fence-crossing': t('The edges cross each other.'),
    'fence-few-vertices': t('There are too few vertices.'),
    'fence-many-vertices': t('There are more than 2,000 vertices.'),
    'fence-small-area': t('The area is smaller than 100 m².'),
    'fence-small-radius': t('The radius is smaller than 10 m.'),
    'fence-small-width': t('Use a width from 5 m to 10,000 m.'),
    'fence-hemisphere': t('The geofence covers more than half of the earth.'),
    'fence-pole': t('A geofence must not reach a pole or cross the 180° meridian.'),
    'fence-outside-earth': t('A position is outside the range of latitudes and longitudes.'),
    'fence-not-rectangle': t('A rectangle needs four corners along latitudes and longitudes.'),
    'fence-hole': t('A geofence must not have holes.'),
    'fence-other-geometry': t("This shape can't be a geofence."),
    'name-too-long': t('Use a name of 100 characters or fewer.'),
    'bad-number': t('A number has the wrong format.'),
    'bad-wkt': t('The geometry has the wrong format.'),
    'too-many': t('There are too many geofences.'),
  };
  return (fault, at = '') =>
    fault === 'bad-coordinates' ? t('Position {{at}} has the wrong format.', { at }) : texts[fault];
}

export function useFenceTexts(): FenceTexts {
  const { t } = useTranslation('FenceSetting');
  const fault = useFaultText();
  return {
    noName: t('Enter a name.'),
    noShape: t('Draw the geofence on the map.'),
    noMoment: t('Enter a date and time.'),
    endsTooEarly: t('Enter an end after the start.'),
    range: (minimum, maximum) =>
      t('Enter a whole number from {{min}} to {{max}}.', { min: NUMBER.format(minimum), max: NUMBER.format(maximum) }),
    numberRange: (minimum, maximum) =>
      t('Enter a number from {{min}} to {{max}}.', { min: NUMBER.format(minimum), max: NUMBER.format(maximum) }),
    fault,
  };
}

/** What a fence reports, in a line. */
export function useRulesText(): (fence: Pick<Fence, 'rules'>) => string {
  const { t } = useTranslation('FenceSetting');
  return ({ rules }) =>
    listText(
      [
        rules.enter && t('Enter'),
        rules.leave && t('Exit'),
        rules.insideMinutes > 0 && t('Inside over {{minutes}} min', { minutes: rules.insideMinutes }),
        rules.outsideMinutes > 0 && t('Outside over {{minutes}} min', { minutes: rules.outsideMinutes }),
        rules.speedKmh > 0 && t('Over {{speed}} km/h', { speed: rules.speedKmh }),
        rules.parkedMinutes > 0 && t('Parked over {{minutes}} min', { minutes: rules.parkedMinutes }),
        rules.wrongDirection && t('Wrong direction'),
      ].filter((text) => text !== false),
    );
}

export function useAreaStateText(): (state: TerminalAreaState) => string {
  const { t } = useTranslation('FenceSetting');
  const texts: Readonly<Record<TerminalAreaState, string>> = {
    waiting: t('Waiting'),
    sent: t('Sent'),
    confirmed: t('Confirmed'),
    differs: t('Differs'),
    refused: t('Rejected'),
    full: t('Terminal full'),
    removing: t('Removing'),
  };
  return (state) => texts[state];
}

/** '' where there is nothing to say. */
export function useAreaNoteText(): (note: TerminalAreaNote) => string {
  const { t } = useTranslation('FenceSetting');
  const texts: Readonly<Record<TerminalAreaNote, string>> = {
    '': '',
    simplified: t('Sent with fewer vertices'),
    'not-read-back': t("This terminal can't be read back"),
    narrowed: t('Sent with a smaller width'),
    'both-hemispheres': t("Terminals can't have a geofence across the equator or longitude 180"),
    'no-answer': t('The terminal did not answer'),
    expired: t('The command expired'),
  };
  return (note) => texts[note];
}
