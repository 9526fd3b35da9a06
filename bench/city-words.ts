/** The words of the generated city, `Japanese:English`, the most frequent first. */
const words = (text: string): readonly (readonly [ja: string, en: string])[] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]);

/** For machi-aza and the buildings named after them. */
export const PLACES = words(`
  本町:Honcho 中央:Chuo 栄町:Sakaecho 緑町:Midoricho 旭町:Asahicho 東町:Higashicho 西町:Nishicho 南町:Minamicho
  北町:Kitamachi 新町:Shinmachi 大手町:Otemachi 桜台:Sakuradai 若葉:Wakaba 青葉:Aoba 泉:Izumi 昭和町:Showacho
  住吉:Sumiyoshi 高砂:Takasago 千歳:Chitose 錦町:Nishikicho 幸町:Saiwaicho 末広:Suehiro 春日:Kasuga 富士見:Fujimi
  元町:Motomachi 宮前:Miyamae 松原:Matsubara 梅田:Umeda 港町:Minatocho 平和:Heiwa 曙:Akebono 駅前:Ekimae
  上野:Ueno 下野:Shimono 川端:Kawabata 山手:Yamate 神田:Kanda 銀座:Ginza 日の出:Hinode 弥生:Yayoi
  朝日:Asahi 大和:Yamato 常盤:Tokiwa 八幡:Hachiman 天神:Tenjin 稲荷:Inari 清水:Shimizu 小川:Ogawa
  原町:Haramachi 谷町:Tanimachi 浜町:Hamacho 島之内:Shimanouchi 城東:Joto 城西:Josei 城南:Jonan 城北:Johoku
  三条:Sanjo 四条:Shijo 五条:Gojo 七条:Shichijo 河原町:Kawaramachi 烏丸:Karasuma 室町:Muromachi 寺町:Teramachi
  堀川:Horikawa 今出川:Imadegawa 大宮:Omiya 西院:Saiin 桂:Katsura 嵯峨:Saga 伏見:Fushimi 深草:Fukakusa
  丸の内:Marunouchi 有楽町:Yurakucho 麹町:Kojimachi 永田町:Nagatacho 霞が関:Kasumigaseki 番町:Bancho 飯田橋:Iidabashi
  九段:Kudan 神保町:Jimbocho 岩本町:Iwamotocho 日本橋:Nihombashi 京橋:Kyobashi 八重洲:Yaesu 築地:Tsukiji
  月島:Tsukishima 芝:Shiba 三田:Mita 赤坂:Akasaka 六本木:Roppongi 麻布:Azabu 白金:Shirokane 高輪:Takanawa
  新宿:Shinjuku 四谷:Yotsuya 市谷:Ichigaya 早稲田:Waseda 本郷:Hongo 湯島:Yushima 白山:Hakusan 千石:Sengoku
  浅草:Asakusa 蔵前:Kuramae 両国:Ryogoku 錦糸:Kinshi 木場:Kiba 豊洲:Toyosu 東雲:Shinonome 大崎:Osaki
  五反田:Gotanda 目黒:Meguro 自由が丘:Jiyugaoka 蒲田:Kamata 池上:Ikegami 雪谷:Yukigaya 成城:Seijo 経堂:Kyodo
  三軒茶屋:Sangenjaya 恵比寿:Ebisu 代々木:Yoyogi 原宿:Harajuku 松濤:Shoto 笹塚:Sasazuka 高円寺:Koenji 荻窪:Ogikubo
  池袋:Ikebukuro 巣鴨:Sugamo 駒込:Komagome 赤羽:Akabane 王子:Oji 成増:Narimasu 光が丘:Hikarigaoka 石神井:Shakujii
  北千住:Kitasenju 亀有:Kameari 小岩:Koiwa 葛西:Kasai 吉祥寺:Kichijoji 三鷹台:Mitakadai 調布ヶ丘:Chofugaoka 聖蹟桜ヶ丘:Seisekisakuragaoka
  みなとみらい:Minatomirai 関内:Kannai 馬車道:Bashamichi 鶴見:Tsurumi 綱島:Tsunashima 日吉:Hiyoshi 菊名:Kikuna 溝口:Mizonokuchi
  栄:Sakae 錦:Nishiki 名駅:Meieki 金山:Kanayama 大須:Osu 覚王山:Kakuozan 今池:Imaike 鶴舞:Tsurumai
  北浜:Kitahama 淀屋橋:Yodoyabashi 本願寺:Honganji 心斎橋:Shinsaibashi 難波:Namba 天満:Temma 京町堀:Kyomachibori 江戸堀:Edobori
  靱本町:Utsubohommachi 十三:Juso 放出:Hanaten 杭全:Kumata 喜連:Kire 立売堀:Itachibori 天下茶屋:Tengachaya 帝塚山:Tezukayama
  三宮:Sannomiya 元浜:Motohama 北野:Kitano 御影:Mikage 岡本:Okamoto 六甲:Rokko 灘南:Nadaminami 夙川:Shukugawa
  大通:Odori 円山:Maruyama 琴似:Kotoni 麻生:Asabu 平岸:Hiragishi 月寒:Tsukisamu 厚別:Atsubetsu 真駒内:Makomanai
  博多駅前:Hakataekimae 中洲:Nakasu 大名:Daimyo 薬院:Yakuin 渡辺通:Watanabedori 香椎:Kashii 姪浜:Meinohama 西新:Nishijin
  一番町:Ichibancho 国分町:Kokubuncho 長町:Nagamachi 泉中央:Izumichuo 榴岡:Tsutsujigaoka 八木山:Yagiyama 鶯谷:Uguisudani 鷺沼:Saginuma
  楓台:Kaededai 蓮池:Hasuike 鳳:Otori 雁宿:Karijuku 蕗原:Fukihara 薊野:Azamino 槻木:Tsukinoki 樟葉:Kuzuha
`);

/** Owners of houses, flats and small office buildings. */
export const FAMILIES = words(`
  佐藤:Sato 鈴木:Suzuki 高橋:Takahashi 田中:Tanaka 伊藤:Ito 渡辺:Watanabe 山本:Yamamoto 中村:Nakamura 小林:Kobayashi
  加藤:Kato 吉田:Yoshida 山田:Yamada 佐々木:Sasaki 山口:Yamaguchi 松本:Matsumoto 井上:Inoue 木村:Kimura 林:Hayashi
  斎藤:Saito 清水:Shimizu 山崎:Yamazaki 森:Mori 池田:Ikeda 橋本:Hashimoto 阿部:Abe 石川:Ishikawa 山下:Yamashita
  中島:Nakajima 石井:Ishii 小川:Ogawa 前田:Maeda 岡田:Okada 長谷川:Hasegawa 藤田:Fujita 後藤:Goto 近藤:Kondo
  村上:Murakami 遠藤:Endo 青木:Aoki 坂本:Sakamoto 斉藤:Saito 福田:Fukuda 太田:Ota 西村:Nishimura 藤井:Fujii
  金子:Kaneko 岡本:Okamoto 藤原:Fujiwara 中野:Nakano 三浦:Miura 原田:Harada 中川:Nakagawa 松田:Matsuda 竹内:Takeuchi
  小野:Ono 田村:Tamura 中山:Nakayama 和田:Wada 石田:Ishida 森田:Morita 上田:Ueda 原:Hara 内田:Uchida 柴田:Shibata
  酒井:Sakai 宮崎:Miyazaki 横山:Yokoyama 高木:Takagi 安藤:Ando 宮本:Miyamoto 大野:Ono 小島:Kojima 谷口:Taniguchi
  今井:Imai 工藤:Kudo 高田:Takada 増田:Masuda 丸山:Maruyama 杉山:Sugiyama 村田:Murata 大塚:Otsuka 新井:Arai
  鷲尾:Washio 薬師寺:Yakushiji 五十嵐:Igarashi 勅使河原:Teshigawara 纐纈:Koketsu 一柳:Ichiyanagi 蛭田:Hiruta 鴻池:Konoike
  槇原:Makihara 躑躅:Tsutsuji 禰宜田:Negita 麻績:Omi 漆原:Urushibara 榊:Sakaki 轟:Todoroki 簗瀬:Yanase
`);

/** Company names. */
export const FIRMS = words(`
  第一:Daiichi 日本:Nihon 東洋:Toyo 大和:Daiwa 三和:Sanwa 中央:Chuo 共栄:Kyoei 富士:Fuji 昭和:Showa 東亜:Toa
  協和:Kyowa 太陽:Taiyo 光和:Kowa 丸善:Maruzen 日新:Nisshin 三共:Sankyo 東邦:Toho 新光:Shinko 大同:Daido
  平和:Heiwa 大成:Taisei 北海:Hokkai 関東:Kanto 近畿:Kinki 西日本:Nishinihon 東海:Tokai 瀬戸内:Setouchi 南海:Nankai
  山陽:Sanyo 住宅:Jutaku 不動産:Fudosan 生命:Seimei 海上:Kaijo 銀行:Bank 信託:Trust 証券:Shoken 製薬:Seiyaku
  電機:Denki 工業:Kogyo 商事:Shoji 倉庫:Soko 運輸:Unyu 建設:Kensetsu 印刷:Insatsu 新聞:Shimbun 放送:Hoso
  興産:Kosan 物産:Bussan 化学:Kagaku 鋼業:Kogyo 繊維:Seni 食品:Shokuhin 通商:Tsusho 開発:Kaihatsu 地所:Jisho
  鳳凰:Hoo 鶴亀:Tsurukame 旭日:Kyokujitsu 瑞穂:Mizuho 八紘:Hakko 麒麟堂:Kirindo 曙光:Shoko 蓬莱:Horai
`);

/** Loanwords in the names of flats, towers and shops. */
export const BORROWED = words(`
  パーク:Park グランド:Grand メゾン:Maison サン:Sun コーポ:Corpo グリーン:Green シティ:City ハイム:Heim ロイヤル:Royal
  スカイ:Sky プラザ:Plaza ニュー:New レジデンス:Residence ヴィラ:Villa ガーデン:Garden ヒルズ:Hills フォレスト:Forest
  ベル:Belle コート:Court ライフ:Life シャトー:Chateau エステート:Estate パレス:Palace ドミール:Domir クレスト:Crest
  ルネ:Rene リバー:River サイド:Side セントラル:Central ステーション:Station フロント:Front ウエスト:West イースト:East
  ノース:North サウス:South アーバン:Urban アーク:Arc クイーン:Queen キング:King エクセル:Excel ファミール:Famille
  ドルミ:Dormi フローラ:Flora ソレイユ:Soleil エトワール:Etoile オリーブ:Olive マリン:Marine ベイ:Bay オーシャン:Ocean
  レイク:Lake フィール:Feel クリオ:Clio ジュネス:Jeunesse アムール:Amour シエル:Ciel ブルー:Blue ホワイト:White
  レッド:Red ゴールド:Gold シルバー:Silver クリスタル:Crystal ダイヤ:Dia エメラルド:Emerald ルビー:Ruby パール:Pearl
  ローズ:Rose リリー:Lily チェリー:Cherry メイプル:Maple オーク:Oak パイン:Pine シーダー:Cedar バンブー:Bamboo
  アネックス:Annex テラス:Terrace フォート:Fort リージェント:Regent インペリアル:Imperial ノーブル:Noble プレミア:Premier
  ヴェルデ:Verde ボヌール:Bonheur プリマヴェーラ:Primavera アルカディア:Arcadia エスポワール:Espoir カサブランカ:Casablanca
  ヴォワール:Voir ジョイフル:Joyful フェリーチェ:Felice ラヴィ:Lavie トワイライト:Twilight モンテヴェルデ:Monteverde ツヴァイ:Zwei
`);

/** The last word of a building's name, by use. */
export const KINDS = {
  homes: words(`
    マンション:Mansion ハイツ:Heights 荘:So ハイム:Heim コーポ:Corpo アパート:Apartments レジデンス:Residence タワー:Tower
    コート:Court ハウス:House 団地:Danchi パレス:Palace ヴィレッジ:Village メゾン:Maison テラス:Terrace`),
  offices: words(`
    ビル:Building ビルディング:Building 本社ビル:Head-Office タワー:Tower 会館:Kaikan センタービル:Center-Building
    駅前ビル:Ekimae-Building スクエア:Square オフィス:Office 別館:Annex`),
  shops: words(`
    プラザ:Plaza ストア:Store モール:Mall 店:Shop マーケット:Market 市場:Ichiba センター:Center 百貨店:Department-Store`),
  public: words(`
    小学校:Elementary-School 病院:Hospital 中学校:Junior-High-School 保育園:Nursery 公民館:Kominkan 郵便局:Post-Office
    図書館:Library 高等学校:High-School 神社:Shrine 寺:Temple 市民センター:Community-Center 消防署:Fire-Station
    体育館:Gymnasium 診療所:Clinic 幼稚園:Kindergarten 区役所:Ward-Office 駅:Station 美術館:Art-Museum`),
  works: words('倉庫:Warehouse 工場:Factory 物流センター:Logistics-Center 第二工場:Second-Factory 車庫:Garage'),
} as const;

/** Listed property funds, invented for this city. */
export const OWNERS = `
  みやこ 東和 あおば港 日の出 大江戸 なにわ 北星 つくし 若草 すみれ 青海 白鷺 たちばな はまなす 紅葉 雲海 しらかば
  ひばり 高砂台 みちのく
`
  .trim()
  .split(/\s+/)
  .map((name) => `${name}不動産投資法人`);
