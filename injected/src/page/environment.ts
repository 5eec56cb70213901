// What the document observes of its environment, used to verify emulation.

/** Screen, media features, network state and user agent. */
export function environment(): object {
  const matches = (query: string) => window.matchMedia(query).matches;
  const formats = Intl.DateTimeFormat().resolvedOptions();
  return {
    width: window.innerWidth,
    height: window.innerHeight,
    screenWidth: window.screen.width,
    screenHeight: window.screen.height,
    scaleFactor: window.devicePixelRatio,
    touchPoints: navigator.maxTouchPoints,
    orientation: window.screen.orientation?.type ?? null,
    userAgent: navigator.userAgent,
    language: navigator.language,
    timeZone: formats.timeZone,
    dark: matches("(prefers-color-scheme: dark)"),
    reducedMotion: matches("(prefers-reduced-motion: reduce)"),
    forcedColors: matches("(forced-colors: active)"),
    print: matches("print"),
    online: navigator.onLine,
  };
}

/** The canonical names of a time zone and a locale; absent if invalid. */
export function canonical(args: { timeZone?: string; locale?: string }): object {
  const attempt = (read: () => string | undefined) => {
    try {
      return read() ?? null;
    } catch {
      return null;
    }
  };
  const { timeZone, locale } = args;
  return {
    timeZone: timeZone && attempt(() => Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone),
    locale: locale && attempt(() => Intl.getCanonicalLocales(locale)[0]),
  };
}

/** Permission states by name; null where the browser does not know the permission. */
export async function permissionStates(args: { names: string[] }): Promise<(string | null)[]> {
  const state = async (name: string) => {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state;
    } catch {
      return null;
    }
  };
  return Promise.all(args.names.map(state));
}
