import { useTranslation } from 'react-i18next';
import type { LiveDevice } from '../../../shared/protocol/api/liveUpdates.ts';
import type { Card } from './fleetFilter.ts';

export interface StateTexts {
  /** `Moving, in alarm, video loss`. */
  readonly ofDevice: (device: LiveDevice) => string;
  readonly ofCard: (card: Card) => string;
}

export function useStateText(): StateTexts {
  const { t } = useTranslation('Dashboard');
  const cards: Record<Card, string> = {
    total: t('All devices'),
    online: t('Online'),
    offline: t('Offline'),
    moving: t('Moving'),
    parked: t('Parked'),
    alarm: t('In alarm'),
    never: t('Never connected'),
    videoLoss: t('Video loss'),
  };
  return {
    ofCard: (card) => cards[card],
    ofDevice: ({ state, isMoving, inAlarm, videoLoss }) => {
      const presence = state === 'online' ? (isMoving ? cards.moving : cards.parked) : cards[state];
      return [presence, ...(inAlarm ? [cards.alarm] : []), ...(videoLoss ? [cards.videoLoss] : [])].join(' · ');
    },
  };
}
