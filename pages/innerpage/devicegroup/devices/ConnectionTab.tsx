import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { testDevice } from '../../../../shared/api/devices/deviceGroup.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { ChannelLoss, ConnectionTest } from '../../../../shared/protocol/api/connectionTest.ts';
import type { DeviceDetail } from '../../../../shared/protocol/api/devices.ts';
import { formatTimestampWithZone } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useLossTexts } from './names.ts';

type Test =
  | { readonly kind: 'none' | 'running' }
  | { readonly kind: 'done'; readonly test: ConnectionTest }
  | { readonly kind: 'failed'; readonly text: string };

/** Whether its terminal is connected, since when, and how soon it answers. */
export function ConnectionTab({ device }: { readonly device: DeviceDetail }) {
  const { t } = useTranslation('DeviceGroup');
  const [test, setTest] = useState<Test>({ kind: 'none' });
  const run = async () => {
    setTest({ kind: 'running' });
    const result = await testDevice(device.deviceid);
    setTest(result.ok ? { kind: 'done', test: result.value } : { kind: 'failed', text: errorText(result) ?? '' });
  };
  return (
    <>
      <Box>
        <Button variant="outlined" loading={test.kind === 'running'} onClick={() => void run()}>
          {t('Test connection')}
        </Button>
      </Box>
      <Box aria-live="polite">
        {test.kind === 'failed' && <Alert severity="error">{test.text}</Alert>}
        {test.kind === 'done' && <TestResult test={test.test} />}
        {test.kind === 'none' && (
          <Box component="p" sx={{ m: 0, color: 'text.secondary' }}>
            {t("Requests the terminal's attributes and measures the response time.")}
          </Box>
        )}
      </Box>
    </>
  );
}

function TestResult({ test }: { readonly test: ConnectionTest }) {
  const { t } = useTranslation('DeviceGroup');
  const zone = useUserZone();
  const moment = (atMs: number): string =>
    atMs === 0 ? t('None since the server started') : formatTimestampWithZone(atMs, zone);
  const { answer } = test;
  const attributes = answer?.result === 'attributes' ? answer : undefined;
  const rows = [
    ...(test.connected ? [[t('Connected since'), moment(test.sinceMs)]] : []),
    [t('Last message'), moment(test.lastMessageAtMs)],
    ...(test.connected
      ? [
          [t('Address'), test.address],
          [t('JT/T 808 edition'), test.edition],
        ]
      : []),
    ...(attributes === undefined
      ? []
      : [
          [t('Manufacturer'), attributes.manufacturer],
          [t('Model'), attributes.model],
          [t('Terminal ID'), attributes.terminalId],
          ['ICCID', attributes.iccid],
          [t('Hardware'), attributes.hardware],
          [t('Firmware'), attributes.firmware],
        ]),
  ];
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Verdict test={test} />
      <Box component="dl" sx={PAIRS}>
        {rows.map(([name = '', value = '']) => (
          <Fragment key={name}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
              {value}
            </Box>
          </Fragment>
        ))}
      </Box>
      <MediaLossList losses={test.mediaLoss} />
    </Box>
  );
}

/** What came of the pictures and the sound: of each channel that lost something, a line for each kind of loss. */
function MediaLossList({ losses }: { readonly losses: readonly ChannelLoss[] }) {
  const { t } = useTranslation('DeviceGroup');
  const textsOf = useLossTexts();
  return (
    <Box component="section">
      <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
        {t('Media loss since the server started')}
      </Box>
      {losses.length === 0 && (
        <Box component="p" sx={{ m: 0, color: 'text.secondary' }}>
          {t('None')}
        </Box>
      )}
      {losses.length > 0 && (
        <Box component="dl" sx={PAIRS}>
          {losses.map(({ channel, counts }) => (
            <Fragment key={channel}>
              <Box component="dt" sx={{ fontWeight: 600 }}>
                {t('Channel {{channel}}', { channel })}
              </Box>
              {textsOf(counts).map((text) => (
                <Box component="dd" key={text} sx={{ m: 0, gridColumn: 2 }}>
                  {text}
                </Box>
              ))}
            </Fragment>
          ))}
        </Box>
      )}
    </Box>
  );
}

function Verdict({ test: { connected, answer } }: { readonly test: ConnectionTest }) {
  const { t } = useTranslation('DeviceGroup');
  if (!connected || answer === null) {
    return (
      <Alert severity="warning">
        {t("The terminal isn't connected. Check its power, network and server address.")}
      </Alert>
    );
  }
  const ms = answer.afterMs;
  switch (answer.result) {
    case 'attributes':
      return <Alert severity="success">{t('Connected. Response time: {{ms}} ms.', { ms })}</Alert>;
    case 'unsupported':
      return (
        <Alert severity="success">
          {t("Connected. Response time: {{ms}} ms. The terminal doesn't report its attributes.", { ms })}
        </Alert>
      );
    case 'no-answer':
      return (
        <Alert severity="warning">{t("Connected, but the terminal didn't respond within {{ms}} ms.", { ms })}</Alert>
      );
    case 'lost':
      return <Alert severity="warning">{t('The connection was lost after {{ms}} ms.', { ms })}</Alert>;
  }
}

const PAIRS = {
  m: 0,
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  columnGap: 2,
  rowGap: 0.5,
} as const;
