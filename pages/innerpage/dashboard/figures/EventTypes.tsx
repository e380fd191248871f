import MapOutlined from '@mui/icons-material/MapOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import type { EventCount } from '../../../../shared/protocol/api/fleet.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import { linkToHistory } from '../../../../shared/ui/events/historyLink.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { type CountBar, CountBars } from './CountBars.tsx';
import { Empty } from './Empty.tsx';

export interface EventTypesProps {
  /** Most frequent first. */
  readonly events: readonly EventCount[];
  /** The user may look at the events themselves. */
  readonly hasHistory: boolean;
  /** To the devices that had events of this type. */
  readonly onType: (type: string, name: string) => void;
  readonly onShowActive: () => void;
}

/** Each type leads to its events, or to the devices that had them; the button below to those in alarm at this moment. */
export function EventTypes({ events, hasHistory, onType, onShowActive }: EventTypesProps) {
  const { t } = useTranslation('Dashboard');
  const { nameOf, typeOf } = useEventNames();
  if (events.length === 0) return <Empty text={t('No new events in the last 24 hours.')} />;
  const bars = events.map(({ type, count }) => ({
    key: type,
    name: nameOf(type),
    icon: <EventIcon type={typeOf(type)} />,
    count,
  }));
  return (
    <>
      {hasHistory ? (
        <CountBars
          bars={bars}
          linkOf={(type) => linkToHistory({ period: '24h', types: [type] })}
          actionOf={(bar) => <ShowOnMap bar={bar} onShow={() => onType(bar.key, bar.name)} />}
        />
      ) : (
        <CountBars bars={bars} onPick={(type) => onType(type, nameOf(type))} />
      )}
      <Button size="small" sx={{ alignSelf: 'flex-start' }} onClick={onShowActive}>
        {t('Show devices in alarm')}
      </Button>
    </>
  );
}

interface ShowOnMapProps {
  readonly bar: CountBar;
  readonly onShow: () => void;
}

function ShowOnMap({ bar, onShow }: ShowOnMapProps) {
  const { t } = useTranslation('Dashboard');
  const label = t('Show on map: {{event}}', { event: bar.name });
  return (
    <Tooltip title={label}>
      <IconButton size="small" aria-label={label} onClick={onShow}>
        <MapOutlined fontSize="small" />
      </IconButton>
    </Tooltip>
  );
}
