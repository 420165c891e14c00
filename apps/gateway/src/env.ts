/** The one place that reads the environment. Everything else gets what it needs as an argument. */
export interface Environment {
  /** Values for `${NAME}` in config strings. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Config file named by `TURNWIRE_CONFIG`, used when `--config` is absent. */
  readonly configFile: string | undefined;
  /** True when colours and pretty logs make no sense: `NO_COLOR` or `CI` is set. */
  readonly plain: boolean;
}

/** Reads the process environment once. */
export function readEnvironment(): Environment {
  const values = process.env;
  return {
    values,
    configFile: values["TURNWIRE_CONFIG"],
    plain: values["NO_COLOR"] !== undefined || values["CI"] !== undefined,
  };
}
