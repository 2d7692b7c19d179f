/**
 * The named formats in a shorthand of their own, alike with `strict_` before them and without:
 *   Y year · M month · D day of month · O day of year · X week-based year · w week · e day of week
 *   h hour · m minute · s second · f fraction of a second · z offset or zone · anything else stands for itself
 */
export const ISO: Readonly<Record<string, string>> = {
  date: 'Y-M-D',
  date_hour: 'Y-M-DTh',
  date_hour_minute: 'Y-M-DTh:m',
  date_hour_minute_second: 'Y-M-DTh:m:s',
  date_hour_minute_second_fraction: 'Y-M-DTh:m:s.f',
  date_hour_minute_second_millis: 'Y-M-DTh:m:s.f',
  date_time: 'Y-M-DTh:m:s.fz',
  date_time_no_millis: 'Y-M-DTh:m:sz',
  hour: 'h',
  hour_minute: 'h:m',
  hour_minute_second: 'h:m:s',
  hour_minute_second_fraction: 'h:m:s.f',
  hour_minute_second_millis: 'h:m:s.f',
  ordinal_date: 'Y-O',
  ordinal_date_time: 'Y-OTh:m:s.fz',
  ordinal_date_time_no_millis: 'Y-OTh:m:sz',
  time: 'h:m:s.fz',
  time_no_millis: 'h:m:sz',
  t_time: 'Th:m:s.fz',
  t_time_no_millis: 'Th:m:sz',
  week_date: 'X-Ww-e',
  week_date_time: 'X-Ww-eTh:m:s.fz',
  week_date_time_no_millis: 'X-Ww-eTh:m:sz',
  week_year: 'X',
  weekyear: 'X',
  weekyear_week: 'X-Ww',
  weekyear_week_day: 'X-Ww-e',
  year: 'Y',
  year_month: 'Y-M',
  year_month_day: 'Y-M-D',
}

/** Those without signs between their parts, in the same shorthand. */
export const BASIC: Readonly<Record<string, string>> = {
  basic_date: 'YMD',
  basic_date_time: 'YMDThms.fz',
  basic_date_time_no_millis: 'YMDThmsz',
  basic_ordinal_date: 'YO',
  basic_ordinal_date_time: 'YOThms.fz',
  basic_ordinal_date_time_no_millis: 'YOThmsz',
  basic_time: 'hms.fz',
  basic_time_no_millis: 'hmsz',
  basic_t_time: 'Thms.fz',
  basic_t_time_no_millis: 'Thmsz',
  basic_week_date: 'XWwe',
  basic_week_date_time: 'XWweThms.fz',
  basic_week_date_time_no_millis: 'XWweThmsz',
}
