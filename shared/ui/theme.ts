// The look of every page but the three video ones: breakpoints, colours of both schemes, times, density.
import { type CssVarsTheme, createTheme, type Theme } from '@mui/material/styles';

declare module '@mui/material/styles' {
  interface BreakpointOverrides {
    xxl: true;
  }
  interface Palette {
    tile: TileColors;
  }
  interface PaletteOptions {
    tile: TileColors;
  }
}

interface TileColors {
  readonly main: string;
  readonly mainHover: string;
  readonly mainText: string;
  readonly admin: string;
  readonly adminHover: string;
  readonly adminText: string;
}

/** Fades, collapses and the side panel. */
const TRANSITION_MS = 300;
/** Window widths in pixels at which layouts change. */
export const BREAKPOINTS = { xs: 0, sm: 576, md: 768, lg: 992, xl: 1200, xxl: 1400 } as const;

// The reader's own fonts, the ones for Chinese and Japanese included; nothing is fetched.
const FONTS = [
  'system-ui',
  '-apple-system',
  '"Segoe UI"',
  'Roboto',
  '"Helvetica Neue"',
  '"Noto Sans"',
  '"PingFang TC"',
  '"Microsoft JhengHei"',
  '"Hiragino Sans"',
  '"Yu Gothic UI"',
  '"Noto Sans CJK TC"',
  '"Noto Sans CJK JP"',
  'sans-serif',
].join(',');

// The same Han characters are drawn differently in Taiwan and Japan; `lang` decides, where a font does not.
const JAPANESE_FIRST = 'system-ui,"Hiragino Sans","Yu Gothic UI","Noto Sans CJK JP",sans-serif';

const light = {
  palette: {
    primary: { main: '#1a5fb4', dark: '#134a8e', light: '#3f7fcd', contrastText: '#ffffff' },
    background: { default: '#f2f4f7', paper: '#ffffff' },
    text: { primary: '#1b232d', secondary: '#505d6b' },
    divider: '#d5dbe2',
    error: { main: '#b3261e' },
    warning: { main: '#8a5300' },
    info: { main: '#1a5fb4' },
    success: { main: '#1d6b34' },
    tile: {
      main: '#1d66bd',
      mainHover: '#17549c',
      mainText: '#ffffff',
      admin: '#5d6166',
      adminHover: '#4b4f53',
      adminText: '#ffffff',
    },
  },
};

const dark = {
  palette: {
    primary: { main: '#7db4f5', dark: '#5a98e0', light: '#a5cbfa', contrastText: '#0a1a2c' },
    background: { default: '#12161b', paper: '#1b2128' },
    text: { primary: '#e6eaef', secondary: '#a7b1bc' },
    // Secondary text can still be read where something is selected.
    action: { active: '#c3ccd6', selected: 'rgba(255, 255, 255, 0.12)', selectedOpacity: 0.12 },
    divider: '#323b45',
    error: { main: '#f59b94' },
    warning: { main: '#f2b661' },
    info: { main: '#7db4f5' },
    success: { main: '#7fd196' },
    tile: {
      main: '#1c4f8f',
      mainHover: '#2460aa',
      mainText: '#eef5ff',
      admin: '#3a3d40',
      adminHover: '#494c50',
      adminText: '#eef0f2',
    },
  },
};

type PageTheme = Omit<Theme, 'applyStyles'> & CssVarsTheme;

export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'media' },
  colorSchemes: { light, dark },
  breakpoints: { values: BREAKPOINTS },
  motion: { reducedMotion: 'system' },
  transitions: {
    duration: {
      standard: TRANSITION_MS,
      complex: TRANSITION_MS,
      enteringScreen: TRANSITION_MS,
      leavingScreen: TRANSITION_MS,
    },
  },
  shape: { borderRadius: 6 },
  typography: {
    fontFamily: FONTS,
    fontSize: 14,
    body1: { fontSize: '0.9rem' },
    button: { textTransform: 'none', fontWeight: 600 },
  },
  components: {
    MuiCssBaseline: { styleOverrides: (current) => baseline(current as PageTheme) },
    // A browser gives buttons a font of its own.
    MuiButtonBase: { defaultProps: { disableRipple: true }, styleOverrides: { root: { fontFamily: 'inherit' } } },
    MuiButton: { defaultProps: { disableElevation: true } },
    // Dark surfaces keep their colour; a border says that they lie above.
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiDialog: { styleOverrides: { paper: { border: '1px solid var(--mui-palette-divider)' } } },
    MuiTextField: { defaultProps: { size: 'small' } },
    // What it says under a field that is off, such as why it is, has to be readable.
    MuiFormHelperText: {
      styleOverrides: { root: { '&.Mui-disabled': { color: 'var(--mui-palette-text-secondary)' } } },
    },
    // The library's own gray is too light on the page's background.
    MuiToggleButton: { styleOverrides: { root: { color: 'var(--mui-palette-text-secondary)' } } },
    MuiTooltip: { defaultProps: { enterDelay: 400 } },
  },
});

/** What is kept free at the left for the shell's floating button. */
export const BESIDE_SHELL_BUTTON = '64px';

// Two classes strong, since the library takes the outline off its buttons with one. A text field shows its focus by its
// frame, a dialog that takes the focus by being there, and a check box's own element is invisible.
const FOCUSED = ':focus-visible:not(.MuiInputBase-input, [tabindex="-1"]), .MuiButtonBase-root.Mui-focusVisible';

/** What holds for every element: one visible focus ring, and no motion where the reader asked for none. */
function baseline(current: PageTheme): Record<string, object | string> {
  return {
    'html, body, #root': { height: '100%' },
    'html:lang(ja) body': { fontFamily: JAPANESE_FIRST },
    // A dialog that fills a frame lies beneath the shell's floating button, as the top bar does.
    '[data-shell-button] .MuiDialog-paperFullScreen .MuiDialogTitle-root': { paddingLeft: BESIDE_SHELL_BUTTON },
    [FOCUSED]: { outline: `2px solid ${current.vars.palette.primary.main}`, outlineOffset: 2 },
    '@media (prefers-reduced-motion: reduce)': {
      '*, *::before, *::after': {
        animationDuration: '0.01ms !important',
        animationIterationCount: '1 !important',
        transitionDuration: '0.01ms !important',
      },
    },
  };
}
