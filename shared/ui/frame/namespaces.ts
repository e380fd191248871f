/** The translations that the frame, its tables and its forms read; `mountPage` takes them beside the page's own. */
export const FRAME_NAMESPACES = ['Frame', 'Form', 'Fields', 'Table', 'Menu', 'Login', 'SecondFactor'] as const;
