"""What each refusal means for who gets it, and what to do: the words of `/api/docs/errors`."""

from collections.abc import Mapping

from config import errors

ADVICE: Mapping[type[errors.Refusal], str] = {
    errors.Invalid: "The member errors says by field what is wrong, everything at once. Fields that the "
    "server does not know count as wrong too.",
    errors.MalformedJSON: "It must be one JSON value in UTF-8, without lone surrogates.",
    errors.BadRequest: "Something outside of the API's own fields is wrong, the host name for example.",
    errors.NotAuthenticated: "The token is missing, cut, ended or of a player who was forgotten. Enter "
    "again: name and secret bring a living player back with its tables.",
    errors.NotSeated: "Sit down first, if the table is open still.",
    errors.NotHost: "The member host of the table names the seat that may.",
    errors.Removed: "This table is closed to you; another one is not.",
    errors.HintsOff: "A table is opened with hints or without, and stays so. Once it is over, there is "
    "its analysis.",
    errors.Banned: "The member ban says what: the session that this token stood for, the name, or your "
    "address; expires_at says until when. A session that was banned is over, and its tables are left. A "
    "banned name leaves you all others.",
    errors.Forbidden: "The server's own pages answer so; calls of the API name a closer reason.",
    errors.NotFound: "It may not exist, or be private: the answer is the same, so that nothing is given "
    "away. A private table wants its code.",
    errors.MethodNotAllowed: "The header Allow names those that it takes.",
    errors.NotAcceptable: "Leave out the header Accept, or let it take application/json.",
    errors.TooLarge: "The limits in the root of the API say how large it may be.",
    errors.UnsupportedMediaType: "Send the body as application/json.",
    errors.NameTaken: "Choose another name, or give the secret of this one. So it can be found out that a "
    "name is in use; nothing else can.",
    errors.TableFull: "Look for another table, or open one.",
    errors.NotEnoughSeats: "The game's entry says how many it needs at least; bots count.",
    errors.NotOpen: "The game has started, or the table was closed. Public tables can be watched.",
    errors.NotPlaying: "It has not started, or it is over. Read the table again.",
    errors.NotFinished: "A rematch, a record, a replay and an analysis want a game that was begun and is "
    "over. Wait for the event finished.",
    errors.NotYourTurn: "The member to_move of the table names the seats that are.",
    errors.StaleVersion: "Read the table again and decide anew; your move has not been made.",
    errors.TooManyTables: "Leave one of them first. The limits in the root of the API say how many.",
    errors.IllegalMove: "The member legal_moves names all of them, exactly as they are written.",
    errors.IdempotencyMismatch: "A key belongs to one method, path and body for a day: take a fresh one for "
    "each new request.",
    errors.Throttled: "Wait for as many seconds as the header Retry-After says.",
    errors.InternalError: "It has been logged. Sending the request again is safe with an idempotency key.",
    errors.Unavailable: "Nothing is half done. Try again after as many seconds as the header "
    "Retry-After says.",
}
