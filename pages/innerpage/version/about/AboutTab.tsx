import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { getAbout } from '../../../../shared/api/version/about.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { FactList } from '../../../../shared/ui/frame/FactList.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { Changes } from './Changes.tsx';
import { GatewayList } from './GatewayList.tsx';
import { timedAbout } from './timedAbout.ts';
import { useAboutFacts } from './useAboutFacts.ts';

const EVERY_MS = 30_000;

/** What runs here. */
export function AboutTab() {
  const { t } = useTranslation('Version');
  const { value, failure } = useRecord({
    key: ['about'],
    load: (signal) => timedAbout(() => getAbout(signal), Date.now),
    everyMs: EVERY_MS,
  });
  const facts = useAboutFacts(value);
  const notice = failure !== undefined && <Alert severity="error">{errorText(failure)}</Alert>;
  if (value === undefined) return notice || <Waiting />;
  const { about } = value;
  return (
    <Box sx={{ display: 'grid', gap: 3, overflowY: 'auto', pb: 2, alignContent: 'start' }}>
      {notice}
      <Section title={t('Product')} level="h2">
        <FactList facts={facts.product} />
      </Section>
      <Section title={t('Server')} level="h2">
        <FactList facts={facts.server} />
      </Section>
      <Section title={t('Servers on this database')} level="h2">
        <GatewayList gateways={about.gateways} />
      </Section>
      <Section title={t('Key of evidence packages')} level="h2">
        <FactList facts={facts.evidence} />
        <Box component="pre" sx={KEY}>
          {about.evidenceKey.publicKey}
        </Box>
      </Section>
      <Section title={t("What's new")} level="h2">
        <Changes changes={about.changes} />
      </Section>
    </Box>
  );
}

const KEY = { m: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: 12 } as const;
