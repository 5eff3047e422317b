/** Where an export stops being what was recorded. */
export interface ExportFault {
  readonly line: number
  readonly seq?: number | undefined
  readonly id?: string | undefined
  readonly wrong: string
}

/** Carries a fault out of the walk over the lines; the walk knows the line. */
export class ExportRefused extends Error {
  readonly at: Pick<ExportFault, 'seq' | 'id'>

  constructor(wrong: string, at: Pick<ExportFault, 'seq' | 'id'> = {}) {
    super(wrong)
    this.at = at
  }
}
