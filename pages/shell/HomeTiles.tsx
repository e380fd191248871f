// The home page: a tile per page. The main ones are blue; the administrator's follow a divider in gray.
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Divider from '@mui/material/Divider';
import Grid from '@mui/material/Grid';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { HOME_PAGE, type MenuGroup, type MenuPage, pagesFor } from '../../shared/protocol/menuPages.ts';
import { PageIcon } from '../../shared/ui/pageIcons.tsx';
import { visuallyHidden } from '../../shared/ui/visuallyHidden.ts';
import { PageCount } from './PageCount.tsx';
import { pageLink } from './pageLink.ts';

export interface HomeTilesProps {
  readonly permissions: readonly string[];
  readonly onChoose: (page: MenuPage) => void;
}

export function HomeTiles({ permissions, onChoose }: HomeTilesProps) {
  const { t } = useTranslation(['Menu', 'Shell']);
  const pages = pagesFor(permissions).filter((page) => page !== HOME_PAGE);
  const admin = pages.filter((page) => page.group === 'admin');
  return (
    <Box sx={{ maxWidth: 1760, mx: 'auto' }}>
      <Box component="h1" sx={visuallyHidden}>
        {t('Home')}
      </Box>
      <TileGroup
        title={t('Monitoring', { ns: 'Shell' })}
        pages={pages.filter((page) => page.group === 'main')}
        onChoose={onChoose}
      />
      {admin.length > 0 && (
        <>
          <Divider sx={{ my: 3 }} />
          <TileGroup title={t('Administration', { ns: 'Shell' })} pages={admin} onChoose={onChoose} />
        </>
      )}
    </Box>
  );
}

interface TileGroupProps {
  readonly title: string;
  readonly pages: readonly MenuPage[];
  readonly onChoose: (page: MenuPage) => void;
}

function TileGroup({ title, pages, onChoose }: TileGroupProps) {
  const { t } = useTranslation('Menu');
  return (
    <Box component="section" aria-label={title}>
      <Typography component="h2" sx={{ mb: 1.5, fontSize: 13, fontWeight: 600, color: 'text.secondary' }}>
        {title}
      </Typography>
      {/* Widths out of twelve columns: two tiles a row, then three, four and six. */}
      <Grid container spacing={{ xs: 1.5, md: 2 }}>
        {pages.map((page) => (
          <Grid key={page.src} size={{ xs: 6, md: 4, lg: 3, xl: 2 }}>
            <ButtonBase {...pageLink(page, onChoose)} data-group={page.group} sx={[TILE, COLORS[page.group]]}>
              <PageIcon icon={page.icon} sx={{ fontSize: 36 }} />
              <span>{t(page.name)}</span>
              <Box component="span" sx={COUNT}>
                <PageCount page={page} />
              </Box>
            </ButtonBase>
          </Grid>
        ))}
      </Grid>
    </Box>
  );
}

const COUNT = { position: 'absolute', top: 10, right: 10 } as const;
const TILE = {
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'center',
  gap: 1.25,
  width: '100%',
  height: 124,
  px: 1.5,
  borderRadius: 1.5,
  fontSize: 15,
  fontWeight: 600,
  lineHeight: 1.3,
  textAlign: 'center',
  textWrap: 'balance', // no single character on a line of its own
  overflowWrap: 'anywhere',
} as const;

const COLORS: Readonly<Record<MenuGroup, object>> = {
  main: {
    color: 'tile.mainText',
    backgroundColor: 'tile.main',
    '&:hover': { backgroundColor: 'tile.mainHover' },
  },
  admin: {
    color: 'tile.adminText',
    backgroundColor: 'tile.admin',
    '&:hover': { backgroundColor: 'tile.adminHover' },
  },
};
