// What the page calls types, reasons, and the choices of their forms.
import i18next from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { eventReasonText } from '../../../shared/i18n/eventReasonText.ts';
import { eventTypeText } from '../../../shared/i18n/eventTypeText.ts';
import type { Locale } from '../../../shared/i18n/languages.ts';
import { currentLocale } from '../../../shared/i18n/start.ts';
import type { EventIcon, EventReason, EventSound, EventTypeRecord } from '../../../shared/protocol/api/eventTypes.ts';
import { builtInReason } from '../../../shared/protocol/events/builtInReasons.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import { shownName } from '../../../shared/protocol/events/givenNames.ts';

/** In the user's language. */
export function nameOfType(type: EventTypeRecord): string {
  return shownName(type, currentLocale(), eventTypeText(type.code));
}

export function nameOfReason(reason: EventReason): string {
  return shownName(reason, currentLocale(), eventReasonText(reason.code));
}

export type BuiltInName = (locale: Locale) => string;

/** Undefined for a type that an administrator made. A language whose texts are not loaded gives the English name. */
export function builtInNameOfType(code: string): BuiltInName | undefined {
  const type = builtInType(code);
  return type === undefined ? undefined : (locale) => translated('EventTypes', type.name, locale);
}

export function builtInNameOfReason(code: string): BuiltInName | undefined {
  const reason = builtInReason(code);
  return reason === undefined ? undefined : (locale) => translated('EventReasons', reason.name, locale);
}

function translated(namespace: string, name: string, locale: Locale): string {
  const text: unknown = i18next.getResource(locale, namespace, name);
  return typeof text === 'string' ? text : name;
}

export function useSoundName(): (sound: EventSound) => string {
  const { t } = useTranslation('EventDefine');
  const names = { none: t('None'), chime: t('Chime'), alert: t('Alert'), alarm: t('Alarm'), siren: t('Siren') };
  return (sound) => names[sound];
}

/** The same function until the language changes. */
export function useIconName(): (icon: EventIcon) => string {
  const { t } = useTranslation('EventDefine');
  return useMemo(() => {
    const names = iconNames(t);
    return (icon) => names[icon];
  }, [t]);
}

function iconNames(t: (key: string) => string): Readonly<Record<EventIcon, string>> {
  const dangers = { sos: t('SOS'), collision: t('Collision'), speed: t('Speed'), lane: t('Lane'), flag: t('Flag') };
  const people = {
    driver: t('Driver'),
    fatigue: t('Fatigue'),
    phone: t('Phone'),
    smoking: t('Smoking'),
    pedestrian: t('Pedestrian'),
    passengers: t('Passengers'),
  };
  const vehicle = {
    vehicle: t('Vehicle'),
    tire: t('Tire'),
    fuel: t('Fuel'),
    temperature: t('Temperature'),
    ignition: t('Ignition'),
    door: t('Door'),
    parking: t('Parking'),
    power: t('Power'),
  };
  const equipment = {
    camera: t('Camera'),
    storage: t('Storage'),
    gnss: t('Satellite'),
    offline: t('Offline'),
    device: t('Device'),
    system: t('Server'),
  };
  const places = { fence: t('Geofence'), route: t('Route'), clock: t('Clock') };
  return { ...dangers, ...people, ...vehicle, ...equipment, ...places };
}
