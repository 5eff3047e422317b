/**
 * Which rows a piece of work may touch. It becomes the row-level context of the database, so that a
 * forgotten WHERE shows nothing foreign.
 *
 * ALL   staff and the program itself
 * ROWS  only rows of this party and/or this partner (both given: both must fit)
 * NONE  no business row at all
 */
export interface Scope {
  readonly rows: 'ALL' | 'ROWS' | 'NONE'
  readonly partyId?: string
  readonly partnerId?: string
  /** The acting subject; the database refuses prepared or decided rows that do not name it. */
  readonly subject?: string
}
