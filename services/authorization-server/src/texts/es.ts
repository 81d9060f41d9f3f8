import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

/** One file for all pages, so that a translator reads the language in one piece. */
const inMinutes = (minutes: number) => (minutes === 1 ? "dentro de un minuto" : `dentro de ${minutes} minutos`);

export const es: Texts = {
  language: "es",
  languageName: "Español",
  skipToContent: "Ir al contenido",
  plan: { standard: "plan Estándar", advanced_attribution: "plan Atribución avanzada" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.es["responses:read"],
      does: "Todas las respuestas de su clientela, pasadas y futuras.",
      personalData: "los correos electrónicos y los pedidos de su clientela",
      doesNot: "La aplicación no puede cambiar ni borrar nada.",
    },
    "sources:write": {
      title: SCOPE_TITLES.es["sources:write"],
      does: "Fuentes nuevas, como pódcast o canales, a las que se pueden atribuir respuestas.",
      personalData: null,
      doesNot: "La aplicación no puede quitar ninguna fuente.",
    },
  },
  frame: {
    language: "Idioma",
    help: "Ayuda",
    privacy: "Privacidad",
    terms: "Condiciones",
    account: "Cuenta",
    partner: "Páginas de socios",
    docs: "Documentación",
    error: "Error:",
    outOfDate: "Esta página no estaba actualizada y no se cambió nada. Inténtelo otra vez.",
  },
  signIn: {
    title: "Iniciar sesión",
    lead: (app) =>
      app
        ? html`${app} pide conectarse con su tienda. Inicie sesión para ver qué pide. No se comparte nada antes de que usted lo apruebe.`
        : html`Inicie sesión para ver y gestionar las aplicaciones conectadas con sus tiendas.`,
    email: "Correo electrónico",
    password: "Contraseña",
    wrong: "El correo electrónico o la contraseña no son correctos. Inténtelo de nuevo.",
    paused: "Su cuenta está suspendida: nadie puede iniciar sesión con ella.",
    tooManyAttempts: (minutes) => `Demasiados intentos de iniciar sesión. Inténtelo de nuevo ${inMinutes(minutes)}.`,
    outOfDate: "Esta página no estaba al día y no se ha enviado nada. Inicie sesión de nuevo.",
    sessionEnded: "Su sesión ha terminado. No se ha compartido nada. Inicie sesión de nuevo.",
    signedOut: "Ha cerrado la sesión.",
    signedOutEverywhere: "Ha cerrado la sesión en todas partes.",
    passwordChanged: "Su nueva contraseña está guardada. Inicie sesión con ella.",
    forgot: "¿Ha olvidado su contraseña?",
    decline: (app) => html`No conectar ${app}`,
    safety: (product, host) =>
      html`Se trata de su cuenta de ${product}, y está en ${host}. Escriba su contraseña solo en esta página. Una aplicación nunca la necesita.`,
    openId: {
      button: (provider) => html`Continuar con ${provider}`,
      tryAgain: "Intentar de nuevo",
      another: (provider) => html`Usar otra cuenta de ${provider}`,
      back: "Volver al inicio de sesión",
      problem: {
        unavailable: {
          title: (provider) => `${provider} no responde`,
          lead: (provider) =>
            html`No hemos podido contactar con ${provider}, o no hemos entendido su respuesta. No se ha perdido ni compartido nada. Inténtelo de nuevo dentro de un minuto.`,
        },
        cancelled: {
          title: () => "No ha iniciado sesión",
          lead: (provider) => html`Ha interrumpido el inicio de sesión en ${provider}. No se ha compartido nada.`,
        },
        ended: {
          title: () => "Este inicio de sesión ha terminado",
          lead: () => html`Ya se ha usado, ha tardado demasiado o empezó en otro navegador. Empiece de nuevo.`,
        },
        no_account: {
          title: () => "No hay ninguna cuenta con esta dirección",
          lead: (provider, email) =>
            html`En ${provider} usted es ${email}, y aquí nadie tiene una cuenta con esa dirección. Si tiene otra cuenta en ${provider}, use esa. Si es nuevo, pídanos una cuenta con esta dirección.`,
        },
        unverified: {
          title: () => "Su dirección no está verificada",
          lead: (provider) =>
            html`${provider} no ha verificado su dirección de correo, así que no podemos saber qué cuenta de aquí es la suya. Verifique la dirección en ${provider} e inténtelo de nuevo.`,
        },
        joined_with_another: {
          title: () => "Aquí inicia sesión otra cuenta",
          lead: (provider, email) =>
            html`La cuenta ${email} pertenece aquí a otra cuenta de ${provider}, que antes tenía esta dirección. Use aquella. Si ya no existe, solo nosotros podemos darle la cuenta de aquí.`,
        },
        paused: {
          title: () => "Su cuenta está suspendida",
          lead: () => html`Por el momento nadie puede iniciar sesión en ella.`,
        },
      },
    },
  },
  password: {
    present: "Contraseña actual",
    chosen: "Contraseña nueva",
    repeated: "Contraseña nueva, otra vez",
    rule: "Al menos 15 caracteres. Cuatro o cinco palabras que no tengan nada que ver entre sí son seguras y fáciles de recordar; se permiten espacios. Ni su correo electrónico, ni su nombre, ni su tienda, ni nuestro nombre.",
    problem: {
      too_short: "Es demasiado corta: use al menos 15 caracteres.",
      too_long: "Es demasiado larga: use como máximo 256 caracteres.",
      blank: "Son solo espacios. Elija algo que se pueda leer.",
      common: "Muchas personas tienen esta contraseña, así que es de las primeras que se prueban. Elija otra.",
      personal:
        "Es poco más que un nombre que otros conocen, así que es de las primeras que se prueban. Elija otra cosa.",
      wrong: "Esta no es su contraseña actual.",
      same: "Esta es la contraseña que ya tiene. Elija otra.",
      not_repeated: "Las dos contraseñas nuevas no son iguales. Escriba la nueva otra vez.",
    },
    tooManyAttempts: (minutes) =>
      `Demasiados intentos con una contraseña incorrecta. Inténtelo de nuevo ${inMinutes(minutes)}.`,
    change: {
      title: "Cambiar su contraseña",
      lead: "Aquí su sesión sigue abierta. En todos los demás lugares se cerrará.",
      submit: "Guardar la contraseña nueva",
      done: "Su contraseña ha cambiado. Su sesión está cerrada en todos los demás lugares.",
    },
    reset: {
      title: "Elegir una contraseña nueva",
      lead: (email) =>
        html`Para la cuenta ${email}. Su sesión se cerrará en todas partes y después podrá iniciarla con la contraseña nueva.`,
      submit: "Guardar contraseña",
    },
    ended: {
      title: "Este enlace ya no funciona",
      lead: "Un enlace para elegir una contraseña funciona una sola vez: durante 30 minutos, o durante siete días si la cuenta es nueva. Un enlace más reciente lo anula. Si acaba de elegir una contraseña con él, inicie sesión con esa contraseña.",
      next: "Si no, pida un enlace nuevo.",
    },
    forgot: {
      title: "Contraseña olvidada",
      lead: "No enviamos contraseñas por correo. Usted recibe un enlace nuestro y elige una contraseña nueva.",
      steps: [
        "Pídanos un enlace para elegir una contraseña nueva. Indíquenos el correo electrónico con el que inicia sesión.",
        "Abra el enlace antes de que pasen 30 minutos. Funciona una sola vez.",
        "Elija una contraseña nueva e inicie sesión con ella. Sus tiendas y sus aplicaciones conectadas siguen como están. Si una aplicación le envió aquí, empiece allí de nuevo.",
      ],
      askHere: "Cómo contactar con nosotros",
    },
    forgotByMail: {
      notAnAddress: "No es una dirección de correo completa, como anna@shop.example.",
      lead: "Escriba el correo electrónico con el que inicia sesión. Le enviamos un enlace para elegir una contraseña nueva.",
      submit: "Enviar el enlace",
      outOfDate: "Esta página no estaba actualizada y no se envió nada. Inténtelo una vez más.",
      tooMany: (minutes) =>
        `Se han pedido varios correos en poco tiempo. Mire en su buzón o inténtelo de nuevo ${inMinutes(minutes)}.`,
      sent: {
        title: "Mire en su buzón",
        lead: (from) =>
          html`Si existe una cuenta con este correo electrónico, un mensaje de ${from} está en camino. Su enlace funciona una sola vez, durante 30 minutos.`,
        noMail: "Si no llega ningún mensaje en cinco minutos:",
        steps: [
          "Mire también en la carpeta de correo no deseado.",
          "Quizá inicia sesión con otra dirección, o esta estaba mal escrita. Pida el enlace una vez más.",
        ],
        again: "Pedirlo una vez más",
      },
    },
  },
  consent: {
    title: (app) => `Conectar ${app}`,
    heading: (app) => html`¿Conectar ${app} con su tienda?`,
    lead: (host) => html`Decida lo que decida, volverá usted a ${host}.`,
    chooseShop: "¿Qué tienda?",
    oneShop: "Su tienda",
    by: (publisher) => html`De ${publisher}`,
    verified: (product, date) => html`Verificada por ${product} el ${date}`,
    allowOptional: "Permitir esto también. Puede excluirlo.",
    optional: "opcional",
    nothingLeft: "Ha excluido todo lo que pide la aplicación. Permita una parte o rechace la solicitud.",
    privacyPolicy: "Política de privacidad",
    wouldAllow: "Si usted lo aprueba, la aplicación podrá",
    personalData: "Datos personales:",
    notGranted: (plan) => `No se concede: no está incluido en el ${plan}.`,
    notGrantedWith: (plans) => `No se concede para las tiendas con el ${plans}, que no lo incluye.`,
    lasts: "El acceso dura hasta que usted le ponga fin",
    ending: (link, duration) =>
      html`Puede hacerlo en cualquier momento en ${link}. Caduca si la aplicación no lo usa durante ${duration}.`,
    willNever: "La aplicación nunca ve su contraseña y no obtiene nada que no figure aquí, ni nada de otras tiendas.",
    findShop: "Buscar una tienda por nombre o dominio",
    find: "Buscar",
    found: (found, all) => `${found} de ${all} tiendas`,
    foundNone: "No se ha encontrado ninguna tienda. Pruebe con una parte del nombre o del dominio.",
    showAll: "Mostrar todas",
    allowedNow: "Permitido ahora:",
    adds: "Si aprueba, se añade:",
    drops: "Si aprueba, se retira:",
    unchanged: "Lo que la aplicación puede hacer no cambia.",
    replaces:
      "Su aprobación sustituye el acceso actual de la aplicación. Para obtener el nuevo, la aplicación tiene que terminar de conectarse.",
    pausedMeans: html`<b>Suspendida:</b> Hemos suspendido esta aplicación para la tienda.`,
    unavailable: "No disponible",
    unavailableMeans: html`<b>No disponible:</b> El plan de la tienda no incluye nada de lo que pide la aplicación.`,
    away: "No accesible",
    awayMeans: html`<b>No accesible:</b> No podemos leer las conexiones de esta tienda en este momento. Inténtelo de nuevo en unos minutos.`,
    held: "No se puede elegir: hemos suspendido esta aplicación para esta tienda.",
    approve: "Aprobar",
    approveFor: (shop) => html`Aprobar para ${shop}`,
    decline: "Rechazar",
    chooseFirst: "Elija primero la tienda.",
    notOffered: "Esta tienda no se puede elegir. Elija una de las tiendas de abajo.",
    changed: "Lo que se puede conceder ha cambiado desde que se abrió esta página. Revíselo antes de aprobar.",
    otherAccount: "Ahora ha iniciado sesión con otra cuenta. Revise los datos antes de aprobar.",
    outOfDate: "Esta página no estaba al día y no se ha aprobado nada. Revise los datos antes de aprobar.",
    noShops: "Todavía no hay ninguna tienda en su cuenta",
    noShopsLead:
      "Una aplicación solo se puede conectar con una tienda. Pídanos que le añadamos a su tienda, o use otra cuenta. También puede volver a la aplicación sin conectarla.",
    back: (app) => html`Volver a ${app}`,
  },
  nothingToGrant: {
    title: (shops) => (shops === 1 ? "Su tienda no se puede conectar" : "Sus tiendas no se pueden conectar"),
    lead: (app) => html`Por ahora no se puede conceder nada a ${app}.`,
    notInPlan: (asked, plan) => `La aplicación pide «${asked}». Eso no está incluido en el ${plan}.`,
    notAllowed: "La aplicación ya no puede pedir esto. Avise al desarrollador de la aplicación.",
    held: "Hemos suspendido esta aplicación.",
    more: (shops) => (shops === 1 ? "1 tienda más" : `${shops} tiendas más`),
  },
  decline: {
    title: "¿Rechazar esta solicitud?",
    lead: (app, host) => html`${app} no obtiene acceso y usted vuelve a ${host}.`,
    back: "Atrás",
  },
  returnToPartner: {
    title: "Está volviendo a la aplicación",
    lead: (app) => html`Le llevamos de vuelta a ${app}.`,
    link: "Continuar",
  },
  connectedApps: {
    title: "Aplicaciones conectadas",
    lead: "Estas aplicaciones pueden usar datos de sus tiendas. Puede desconectar cualquiera de ellas, con efecto inmediato.",
    none: "No hay ninguna aplicación conectada con esta tienda.",
    away: "No podemos leer las conexiones de esta tienda en este momento. Nada ha cambiado en ellas. Inténtelo de nuevo en unos minutos.",
    noShops: "Todavía no hay ninguna tienda en su cuenta. Pídanos que le añadamos a su tienda.",
    can: "Puede",
    approvedBy: "Aprobada por",
    more: "Detalles",
    merchantOn: (merchant, date) => html`${merchant}, ${date}`,
    lastUsed: "Último uso",
    expires: "Acceso",
    expiresIfUnused: (date) => html`Caduca el ${date} si no se usa`,
    status: { connected: "Conectada", approved: "Sin completar", expired: "Caducada", disabled: "Suspendida" },
    approved:
      "La aplicación se aprobó, pero todavía no ha terminado de conectarse. Obtendrá el acceso cuando lo haga. Si tarda más de unos minutos, empiece de nuevo en la aplicación.",
    expired:
      "La aplicación no usó su acceso durante mucho tiempo, por lo que el acceso terminó. Puede pedirle que la conecte de nuevo.",
    disabled: "Hemos suspendido esta conexión. La aplicación no tiene acceso por ahora.",
    disconnect: "Desconectar",
    records: (count, number) => (count === 1 ? "1 registro" : `${number} registros`),
    calls: (count, number) => (count === 1 ? "en 1 consulta" : `en ${number} consultas`),
    read: "Leído en los últimos 30 días",
    readNothing: "Nada",
    search: "Buscar una tienda o una aplicación",
    earlier: "Anterior",
    later: "Siguiente",
    pageOf: (page, pages) => `Página ${page} de ${pages}`,
    without: (shops) => (shops === 1 ? "1 tienda sin aplicaciones" : `${shops} tiendas sin aplicaciones`),
    moreWithout: (shops) => (shops === 1 ? "Y 1 más: busque su nombre." : `Y ${shops} más: busque sus nombres.`),
    deletion: (contact) => html`Para que se borre lo que ha leído, escriba a ${contact}.`,
    howToConnect:
      "Para conectar una, empiece en la propia aplicación. Ella le envía aquí, donde elige la tienda y la aprueba.",
    disconnected: (app, shop) => html`${app} se ha desconectado y ya no tiene acceso a ${shop}.`,
  },
  disconnect: {
    title: (app) => `Desconectar ${app}`,
    heading: (app, shop) => html`¿Desconectar ${app} de ${shop}?`,
    lead: (app, shop) => html`${app} pierde de inmediato su acceso a ${shop}.`,
    consequences: (app) => [
      html`${app} ya no puede leer ni añadir nada.`,
      html`El desarrollador de la aplicación conserva lo que ha leído. Diríjase a él si quiere que se borre.`,
      html`Su tienda y sus encuestas quedan como están. Puede volver a conectar la aplicación más adelante.`,
    ],
    unfinished: (app, shop) =>
      html`${app} todavía no ha terminado de conectarse con ${shop}. Si la desconecta ahora, su aprobación deja de valer y la aplicación no obtiene acceso. Puede volver a conectarla más adelante.`,
    keep: "Mantener conectada",
  },
  account: {
    signedInAs: (merchant, email) => html`Sesión iniciada como ${merchant} ${email}`,
    useAnother: "Usar otra cuenta",
    signOut: "Cerrar sesión",
    signOutEverywhere: "Cerrar sesión en todas partes",
    changePassword: "Cambiar contraseña",
  },
  passkeys: {
    title: "Llaves de acceso",
    lead: "Una llave de acceso se guarda en su dispositivo o en su gestor de contraseñas. En cuanto tenga una, su contraseña sola ya no basta: pedimos la llave de acceso cuando inicia sesión en un dispositivo nuevo y antes de que una aplicación obtenga datos personales de sus clientes.",
    none: "Todavía no tiene ninguna llave de acceso.",
    since: (date) => html`Añadida ${date}.`,
    used: (date) => html`Último uso ${date}.`,
    unused: "Sin usar todavía.",
    change: "Cambiar el nombre o eliminar",
    name: "Nombre de la llave de acceso",
    newName: "Mi llave de acceso",
    rename: "Cambiar el nombre",
    remove: "Eliminar",
    removes: "Nadie podrá volver a usar aquí esta llave de acceso. Se cerrará su sesión en todos los demás sitios.",
    removesLast:
      "Es su única llave de acceso. Sin ella vuelve a bastar la contraseña. Se cerrará su sesión en todos los demás sitios.",
    add: "Añadir una llave de acceso",
    proveFirst: "Antes de cambiar algo aquí, confirme que es usted.",
    done: {
      added: "La llave de acceso se ha añadido. Su sesión se ha cerrado en todos los demás sitios.",
      renamed: "La llave de acceso tiene su nuevo nombre.",
      removed: "La llave de acceso se ha eliminado. Su sesión se ha cerrado en todos los demás sitios.",
    },
    problem: {
      name: "Escriba un nombre que se pueda leer, de 100 caracteres como máximo.",
      not_made:
        "No se ha podido comprobar la respuesta de su navegador, así que no se ha añadido ninguna llave de acceso. Inténtelo de nuevo.",
      changed: "Su cuenta ha cambiado mientras tanto y no se ha hecho nada. Compruébelo, por favor.",
    },
    proof: {
      title: "Confirme que es usted",
      lead: {
        sign_in: (email) =>
          html`Su contraseña es correcta. Inicia sesión en ${email} en un dispositivo que no conocemos, por eso pedimos también su llave de acceso.`,
        again: (email) => html`Use la llave de acceso de ${email}. Después seguirá donde estaba.`,
      },
      byPassword: (email) => html`Escriba la contraseña de ${email}. Después seguirá donde estaba.`,
      use: "Usar la llave de acceso",
      confirm: "Confirmar",
      failed: "No se ha usado la llave de acceso. Inténtelo de nuevo.",
      noPasskey: {
        get: "Las llaves de acceso necesitan scripts, que este navegador no ejecuta aquí, o no conoce las llaves de acceso. Use otro navegador.",
        create:
          "Las llaves de acceso necesitan scripts, que este navegador no ejecuta aquí, o no conoce las llaves de acceso. Use otro navegador para añadir una.",
      },
      lost: "¿Ha perdido su llave de acceso?",
      outOfDate: "Esta página no estaba al día. Inténtelo otra vez.",
      wrong: "Esta llave de acceso no se puede usar aquí. Inténtelo de nuevo.",
    },
  },
  failure: {
    invalid_link: {
      title: "Este enlace no funciona",
      lead: (app) =>
        html`${app} le ha enviado aquí con una solicitud que no podemos aceptar. No se ha compartido nada. Vuelva a la aplicación e inténtelo de nuevo. Si se repite, avise al desarrollador de la aplicación.`,
    },
    client_disabled: {
      title: "Esta aplicación no se puede conectar",
      lead: (app) =>
        html`${app} no puede conectar tiendas por ahora. No se ha compartido nada. Consulte al desarrollador de la aplicación.`,
    },
    already_connected: {
      title: "Ya está conectada",
      lead: "Esta aplicación está conectada a la tienda elegida. Aquí no queda nada por hacer.",
    },
    ended: {
      title: "Esta solicitud ha terminado",
      lead: "Ya recibió una respuesta, tardó demasiado o se inició en otro navegador. Aquí no ocurre nada más. Para conectar una tienda, vuelva a la aplicación y empiece de nuevo.",
    },
    foreign_form: {
      title: "No hemos aceptado este envío",
      lead: "Lo que se envió no procedía de una de nuestras páginas, así que no hemos hecho nada. Vuelva atrás e inténtelo de nuevo.",
    },
    bad_request: {
      title: "No hemos podido leer este envío",
      lead: "Lo que envió su navegador no estaba completo, así que no hemos hecho nada. Vuelva atrás e inténtelo de nuevo.",
    },
    not_found: {
      title: "Aquí no hay nada",
      lead: "Puede que la dirección esté mal escrita o que la página ya no exista.",
    },
    too_many_requests: {
      title: "Demasiadas solicitudes",
      lead: "Han llegado muchas solicitudes desde su red en poco tiempo.",
    },
    unavailable: {
      title: "Inténtelo de nuevo en un momento",
      lead: "Ahora mismo no podemos responder. No se ha perdido ni compartido nada. Inténtelo de nuevo dentro de unos segundos.",
    },
    unexpected: {
      title: "Algo ha fallado aquí",
      lead: "El error es nuestro. Inténtelo de nuevo.",
    },
  },
  failurePage: {
    toApp: (app) => html`Ir a ${app}`,
    help: "Obtener ayuda. Indíquenos el número de abajo",
    wait: (seconds) =>
      seconds === 1 ? "Inténtelo de nuevo dentro de un segundo." : `Inténtelo de nuevo dentro de ${seconds} segundos.`,
    approved: (app, shop) => html`Ha aprobado ${app} para ${shop}. Aquí no queda nada por hacer.`,
    unnamedApp: "La aplicación",
    forDevelopers: "Para desarrolladores",
    requestId: "Solicitud",
  },
  noServer: {
    lead: "Ahora mismo no podemos responder. Espere unos segundos y vuelva a intentarlo.",
    tryAgain: "Volver a intentarlo",
  },
  waiting: { decision: (app) => html`${app} espera su decisión.`, continue: "Seguir con la solicitud" },
  partner: {
    choose: {
      title: "Sus aplicaciones",
      lead: "Elija la aplicación cuyas páginas quiere ver.",
    },
    disabled: "Hemos desactivado esta aplicación: sus llamadas se rechazan. Consúltenos.",
    outOfDate: "No se ha cambiado nada, porque esta página no estaba actualizada. Inténtelo de nuevo.",
    overview: {
      title: "Resumen",
      facts: "Su aplicación",
      name: "Nombre",
      clientId: "Identificador del cliente",
      redirectUris: "URI de redirección",
      scope: "Permisos",
      askUs: "Para cambiar algo de esto, contáctenos",
      askOperator: "Para cambiar algo de esto, pregunte al operador que registró la aplicación.",
      attention: "Qué requiere su atención",
      nothing: "Nada por el momento.",
      refusals: (count) => `${count} llamadas rechazadas en 7 días`,
      secrets: "Funcionan dos secretos: termine el anterior.",
      webhooks: "Un webhook falla.",
    },
    connections: {
      title: "Conexiones",
      search: "Buscar una tienda: inicio del nombre o del dominio, o un identificador",
      show: "Mostrar",
      byStatus: "Estado",
      all: "Todas",
      none: "No se encontró ninguna conexión.",
      noneYet: "Todavía no hay ninguna tienda conectada.",
      first: "Primera página",
      next: "Página siguiente",
      status: {
        connected: "Conectada",
        approved: "Aprobada de nuevo",
        expired: "Caducada",
        disabled: "Pausada por nosotros",
        revoked: "Terminada",
      },
      connected: "Conectada desde",
      expires: "Caduca sin uso",
      never: "Aún no",
      id: "Identificador de conexión",
      shopId: "Identificador de tienda",
      refused: "Rechazos recientes",
      notRefused: "Nada en los últimos siete días.",
      disconnect: {
        title: (shop) => `¿Desconectar ${shop}?`,
        lead: (shop) => html`Su acceso a ${shop} termina de inmediato, como con POST /oauth/api/revoke.`,
        consequence:
          "Sus tokens de esta tienda dejan de funcionar. Solo el comerciante puede conectarla de nuevo. Se informa a los miembros de la tienda.",
        done: "La conexión ha terminado.",
      },
    },
    refusals: {
      title: "Qué falló",
      lead: "Llamadas de los últimos 7 días que se rechazaron o fallaron, con el motivo más reciente primero. Una llamada aparece diez segundos después de su respuesta.",
      find: "El x-request-id de una respuesta",
      none: "En los últimos 7 días no se rechazó ninguna llamada.",
      notFound: "Ninguna llamada rechazada de esta aplicación tiene este identificador.",
      nobodys:
        "Quizá tiene más de 7 días, o su respuesta tiene menos de diez segundos. Si un mismo motivo se repite mucho, algunos rechazos solo se cuentan. Un 401 de la API y un 429 del endpoint de tokens no pertenecen a ninguna aplicación. La guía dice qué hacer:",
      counted: (count, kept) => `${count} en 7 días, ${kept} de ellos guardados`,
      cause: "Causa",
      cure: "Solución",
      guide: "Errores, en la guía",
      param: "parámetro",
      more: "Más por este motivo",
      others: "Otros motivos",
      exact:
        "Se cuenta cada llamada rechazada de la aplicación, también bajo carga. Un servidor que se detiene de golpe pierde lo que contó en sus últimos diez segundos; tras un fallo de nuestra base de datos, una cuenta puede ser demasiado alta.",
    },
    usage: {
      title: "Uso",
      byHour: "48 horas",
      byDay: "30 días",
      none: "La aplicación no hizo nada en este tiempo.",
      all: "Todo",
      columns: {
        calls: "Llamadas",
        records: "Registros",
        refused: "4xx",
        limited: "429",
        failed: "5xx",
        tokens: "Tokens",
        noTokens: "Sin token",
      },
      limits: "Límites",
      ofConnection: (calls) => `${calls} llamadas por minuto para cada conexión`,
      ofAddress: (calls) => `${calls} llamadas por minuto desde cada una de sus direcciones IP`,
      ofBrowser: (calls) => `${calls} llamadas por minuto desde la dirección IP de cada comerciante`,
      guide: "Límites, en la guía",
    },
    webhooks: {
      title: "Webhooks",
      lead: "Sus endpoints para avisos, con las diez últimas entregas a cada uno.",
      guide: "Webhooks, en la guía",
      none: "La aplicación no tiene ningún endpoint. Pídanos que añadamos uno.",
      status: { active: "Activo", paused: "En pausa" },
      failingSince: "Todas las entregas fallan desde",
      paused: "Solo se entrega lo que envíe aquí. Pídanos que reanudemos el endpoint.",
      test: "Enviar una prueba",
      testSent: "La prueba está en camino. Abra de nuevo esta página para ver cómo llegó.",
      refused: "No se envió nada: el endpoint o la aplicación ya no existen.",
      noDeliveries: "Todavía no se entregó nada.",
      noAnswer: "Sin respuesta",
    },
    credentials: {
      title: "Credenciales",
      lead: "El secreto de cliente con el que sus servidores piden tokens. No guardamos ninguno: cada uno se muestra una sola vez.",
      only: "Secreto de cliente",
      newest: "Secreto nuevo",
      former: "Secreto anterior",
      createdAt: "Creado",
      inHour: (time) => html`en la hora desde el ${time}`,
      unused: "Aún no visto",
      worksUntil: "Válido hasta",
      noEnd: "que usted lo sustituya",
      make: "Crear un segundo secreto",
      makeLead:
        "Los dos funcionan hasta que termina el anterior. Instale el nuevo en todos sus servidores y termine aquí el anterior cuando ya no se use.",
      days: "Días hasta que termina el secreto anterior (de 1 a 30)",
      overlap: (time) =>
        html`Los dos secretos funcionan hasta el ${time}. Hasta entonces no se puede crear un tercero.`,
      keep: "Dejarlo como está",
      end: {
        title: "¿Terminar el secreto anterior?",
        action: "Terminar el secreto anterior",
        lead: "Las llamadas que lo usan se rechazan enseguida. Asegúrese de que ninguno de sus servidores lo usa: un uso se ve aquí al cabo de un minuto, con la precisión de una hora.",
      },
      replace: {
        title: "¿Sustituir el secreto nuevo?",
        action: "Sustituir el secreto nuevo",
        lead: "Si el secreto nuevo se ha perdido: termina enseguida y recibe otro. El anterior sigue hasta su fin.",
      },
      made: {
        title: "Su nuevo secreto de cliente",
        lead: "Cópielo ahora y guárdelo donde solo lo lean sus servidores. No se vuelve a mostrar nunca.",
        kept: "Lo he guardado",
      },
      problem: {
        days: "No se ha creado ningún secreto. Elija de 1 a 30 días.",
        underWay: "No se ha creado ningún secreto: ya hay dos. Si el nuevo se ha perdido, sustitúyalo.",
      },
    },
    testShops: {
      title: "Tiendas de prueba",
      lead: "Tiendas con respuestas inventadas. Usted conecta su app como lo hace un comerciante, sin tocar los datos de nadie. Mientras su app las lee, cada minuto llegan respuestas, una se recategoriza y algunas se eliminan.",
      none: "Aún no hay ninguna tienda de prueba.",
      make: "Crear una tienda de prueba",
      full: "Cinco como máximo. Elimine una para crear otra.",
      state: {
        filling: "Se están creando sus respuestas: tarda unos segundos",
        ready: "Lista: elíjala cuando su app pida una tienda",
        ending: "Se está eliminando",
      },
      delete: "Eliminar",
      keep: "Conservarla",
      deleteTitle: (shop) => `¿Eliminar ${shop}?`,
      deleteLead: "Sus respuestas y su conexión desaparecen para siempre en un minuto.",
      tooMany: "Cinco tiendas de prueba como máximo. Elimine una para crear otra.",
      guide: "Pruebe su integración, en la guía",
      connection: "Conexión",
      sees: {
        none: "Su aplicación no está conectada con esta tienda. Inicie la conexión en su aplicación y elija esta tienda.",
        approved: "La tienda está aprobada y su aplicación aún no ha canjeado el código. Canjéelo en cinco minutos.",
        connected:
          "Una renovación responde 200 con un nuevo token de acceso, y las llamadas a la API responden 200. Los tokens de acceso anteriores a una pausa siguen rechazados: renueve primero.",
        expired:
          "Una renovación falla con 400 invalid_grant, ‘refresh token expired’, y GET /oauth/api/connections indica ‘expired’. Un token de acceso que su aplicación aún tenga funciona hasta que termine. Conecte la tienda de nuevo.",
        disabled:
          "Una renovación falla con 400 invalid_grant, ‘grant revoked’, y las llamadas a la API fallan con 403 forbidden. Active la conexión, y el mismo token de renovación vuelve a funcionar.",
        revoked:
          "Una renovación falla con 400 invalid_grant, ‘grant revoked’, y las llamadas a la API fallan con 403 forbidden. Solo una nueva aprobación conecta la tienda otra vez.",
      },
      act: {
        expire: "Dejar que la conexión caduque",
        revoke: "Revocar",
        disable: "Desactivar",
        enable: "Activar",
        add: "Añadir 20 respuestas",
        recategorize: "Recategorizar 5",
        delete: "Eliminar una",
      },
      responses: (count) => `Respuestas: ${count}`,
      waits: {
        add: "Se van a añadir 20 respuestas en unos segundos.",
        recategorize: "Se van a recategorizar cinco respuestas en unos segundos.",
        delete: "Se va a eliminar una respuesta en unos segundos.",
      },
      look: "Mirar de nuevo",
      did: {
        add: "Se añadieron 20 respuestas. Un recorrido por updated_at_asc desde donde se detuvo su aplicación las muestra, y GET /oauth/api/changes nombra la conexión con el tipo ‘responses’.",
        recategorize:
          "Cinco respuestas tienen otro valor en ‘response’, y el primero en ‘original_response’. Un recorrido por updated_at_asc desde donde se detuvo su aplicación las muestra otra vez.",
        delete:
          "Se eliminó una respuesta. GET /api/deleted-responses la nombra, y GET /oauth/api/changes nombra la conexión con el tipo ‘deletions’.",
      },
      didNot: {
        add: "No se añadió nada: una tienda de prueba tiene como máximo 5000 respuestas. Elimine la tienda y cree otra.",
        recategorize: "No se recategorizó nada: la tienda no tiene respuestas que cambiar.",
        delete: "No se eliminó nada: la tienda no tiene respuestas.",
      },
      changedMeanwhile: "No se cambió nada: la conexión o la tienda ha cambiado entretanto. Vea abajo cómo está ahora.",
    },
  },
};
