import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Changes as ProductChanges } from '../../../../shared/protocol/api/system/about.ts';
import { type ChangeBlock, changeBlocks } from './changeBlocks.ts';

/** The change log in its own words. */
export function Changes({ changes }: { readonly changes: ProductChanges }) {
  const { t } = useTranslation('Version');
  const { previousVersion, markdown, isCut } = changes;
  return (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      {previousVersion !== '' && (
        <Box sx={{ color: 'text.secondary' }}>{t('Since version {{version}}', { version: previousVersion })}</Box>
      )}
      <Box role="group" aria-label={t("What's new")} lang="en" tabIndex={0} sx={TEXT}>
        {changeBlocks(markdown).map((block, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headings repeat, and blocks never move within a text.
          <Block key={at} block={block} />
        ))}
      </Box>
      {isCut && <Box sx={{ color: 'text.secondary' }}>{t('There is more in CHANGELOG.md.')}</Box>}
    </Box>
  );
}

/** Below the heading of the section, of level 2. */
const HEADINGS = { version: 'h3', group: 'h4', topic: 'h5' } as const;
const SIZES = { version: 16, group: 15, topic: 14 } as const;

function Block({ block }: { readonly block: ChangeBlock }) {
  switch (block.kind) {
    case 'version':
    case 'group':
    case 'topic':
      return (
        <Box component={HEADINGS[block.kind]} sx={{ m: 0, mt: 1, fontSize: SIZES[block.kind], fontWeight: 650 }}>
          {block.text}
        </Box>
      );
    case 'paragraph':
      return (
        <Box component="p" sx={{ m: 0, my: 0.5 }}>
          {block.text}
        </Box>
      );
    case 'list':
      return (
        <Box component="ul" sx={{ m: 0, my: 0.5, pl: 2.5 }}>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </Box>
      );
  }
}

const TEXT = {
  p: 1.5,
  pt: 0.5,
  maxHeight: 420,
  maxWidth: '90ch',
  overflowY: 'auto',
  overflowWrap: 'anywhere',
  fontSize: 14,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
