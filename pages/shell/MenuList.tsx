import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import ListSubheader from '@mui/material/ListSubheader';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type MenuPage, pagesFor } from '../../shared/protocol/menuPages.ts';
import { PageIcon } from '../../shared/ui/pageIcons.tsx';
import { goToPage } from './address.ts';
import { PageCount } from './PageCount.tsx';
import { pageLink } from './pageLink.ts';

export interface MenuListProps {
  readonly permissions: readonly string[];
  readonly current: MenuPage | undefined;
}

/** The pages that the user may open, in two groups. */
export function MenuList({ permissions, current }: MenuListProps) {
  const { t } = useTranslation('Shell');
  const pages = pagesFor(permissions);
  const admin = pages.filter((page) => page.group === 'admin');
  return (
    <>
      <MenuGroupList title={t('Monitoring')} pages={pages.filter((page) => page.group === 'main')} current={current} />
      {admin.length > 0 && <MenuGroupList title={t('Administration')} pages={admin} current={current} />}
    </>
  );
}

interface MenuGroupListProps {
  readonly title: string;
  readonly pages: readonly MenuPage[];
  readonly current: MenuPage | undefined;
}

function MenuGroupList({ title, pages, current }: MenuGroupListProps) {
  const { t } = useTranslation('Menu');
  const titleId = useId();
  return (
    <>
      <ListSubheader component="div" id={titleId} disableSticky sx={{ pt: 1.5, lineHeight: '24px', fontSize: 12 }}>
        {title}
      </ListSubheader>
      <List dense disablePadding aria-labelledby={titleId} sx={{ px: 1, pb: 0.5 }}>
        {pages.map((page) => (
          <ListItem key={page.src} disablePadding>
            <ListItemButton
              component="a"
              {...pageLink(page, goToPage)}
              selected={page === current}
              aria-current={page === current ? 'page' : undefined}
              sx={ENTRY}
            >
              <PageIcon icon={page.icon} sx={{ fontSize: 20, color: 'text.secondary' }} />
              <ListItemText primary={t(page.name)} sx={{ my: 0 }} />
              <PageCount page={page} />
            </ListItemButton>
          </ListItem>
        ))}
      </List>
    </>
  );
}

const ENTRY = {
  gap: 1.5,
  // A finger needs more than a mouse.
  minHeight: { xs: 40, md: 32 },
  px: 1,
  py: 0.25,
  borderRadius: 1,
  // The ring lies inside: the list's edge would cut it off.
  '&&&:focus-visible': { outlineOffset: -2 },
  '&[aria-current]': { fontWeight: 600, boxShadow: 'inset 3px 0 0 var(--mui-palette-primary-main)' },
  '&[aria-current] .MuiSvgIcon-root': { color: 'primary.main' },
  '&[aria-current] .MuiTypography-root': { fontWeight: 600 },
} as const;
